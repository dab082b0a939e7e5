import { errorTexts, nameText } from "@parley/contracts";
import { z } from "zod";

/** Code points of a nickname (docs/protocol/communities.md#28.4). */
const nicknameMax = 32;

export const nicknameBody = z.object({
  nickname: nameText({ min: 0, max: nicknameMax, message: errorTexts.nickname_length })
    .nullish()
    .transform((name) => (name === "" ? null : name))
    .meta({ maxLength: nicknameMax, description: "Trimmed; null or empty for none", example: "The rook" }),
});
export type NicknameBody = z.infer<typeof nicknameBody>;
