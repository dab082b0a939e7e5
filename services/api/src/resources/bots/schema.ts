import { clearableText, trimmedText } from "@parley/contracts";
import { z } from "zod";
import { unclearable } from "../../http/input.js";

/** Texts of the 400 answers (docs/interface.md#12). */
export const botInputErrors = {
  name: "Bot name must be 1-64 characters",
  alphanumeric: "Bot name must contain at least one alphanumeric character",
  description: "Bot description must be at most 512 characters",
} as const;

const name = trimmedText({ min: 1, max: 64, message: botInputErrors.name }).refine(
  (value) => /[\p{L}\p{N}]/u.test(value),
  botInputErrors.alphanumeric,
);
const description = clearableText(512, botInputErrors.description).optional();

export const createBotBody = z.object({ name, description });
export type CreateBot = z.infer<typeof createBotBody>;

export const updateBotBody = z.object({ name: unclearable(name), description });
export type UpdateBot = z.infer<typeof updateBotBody>;
