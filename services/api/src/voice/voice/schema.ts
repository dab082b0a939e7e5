import { errorTexts } from "@parley/contracts";
import { z } from "zod";
import { nonNull } from "../../platform/http/input.js";

const flag = (name: `self_${"mute" | "deaf" | "video" | "screen"}`) =>
  nonNull(z.boolean(errorTexts[`${name}_not_boolean`]));

/**
 * Unknown fields are refused here and nowhere else, server_mute and server_deaf among them (docs/protocol/requests.md#1.3,
 * docs/protocol/calls.md#9.1).
 */
export const updateVoiceBody = z
  .strictObject(
    {
      self_mute: flag("self_mute"),
      self_deaf: flag("self_deaf"),
      self_video: flag("self_video"),
      self_screen: flag("self_screen"),
    },
    {
      error: (issue) =>
        issue.code === "unrecognized_keys" ? errorTexts.voice_field_unknown(issue.keys.join(", ")) : undefined,
    },
  )
  .refine((flags) => Object.values(flags).some((value) => value !== undefined), errorTexts.voice_flag_required);
export type UpdateVoice = z.infer<typeof updateVoiceBody>;
