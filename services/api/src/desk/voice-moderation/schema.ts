import { errorTexts, uuidInput } from "@parley/contracts";
import { z } from "zod";
import { nonNull } from "../../platform/http/input.js";

export const moderateVoiceBody = z.object({
  server_mute: nonNull(z.boolean(errorTexts.server_mute_not_boolean)),
  server_deaf: nonNull(z.boolean(errorTexts.server_deaf_not_boolean)),
  channel_id: uuidInput(errorTexts.channel_id_invalid)
    .nullable()
    .optional()
    .meta({ description: "Null to disconnect" }),
});
export type ModerateVoice = z.infer<typeof moderateVoiceBody>;
