import { z } from "zod";
import { unclearable } from "../../http/input.js";

const flag = (name: string) => unclearable(z.boolean(`${name} must be a boolean`));

/**
 * Unknown fields are refused here and nowhere else, server_mute and server_deaf among them (docs/interface.md#1.3,
 * docs/interface.md#9.1).
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
      error: (issue) => (issue.code === "unrecognized_keys" ? `Unknown field ${issue.keys.join(", ")}` : undefined),
    },
  )
  .refine(
    (flags) => Object.values(flags).some((value) => value !== undefined),
    "At least one of self_mute, self_deaf, self_video, self_screen must be provided",
  );
export type UpdateVoice = z.infer<typeof updateVoiceBody>;
