import { clearableText, errorTexts, trimmedText } from "@parley/contracts";
import { z } from "zod";
import { nonNull } from "../../http/input.js";

/** Texts of the 400 answers (docs/interface.md#12). */

const name = trimmedText({ min: 1, max: 64, message: errorTexts.bot_name_length }).refine(
  (value) => /[\p{L}\p{N}]/u.test(value),
  errorTexts.bot_name_alphanumeric,
);
const description = clearableText(512, errorTexts.bot_description_length).optional();

export const createBotBody = z.object({ name, description });
export type CreateBot = z.infer<typeof createBotBody>;

export const updateBotBody = z.object({ name: nonNull(name), description });
export type UpdateBot = z.infer<typeof updateBotBody>;
