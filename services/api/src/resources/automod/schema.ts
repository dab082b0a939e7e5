import { AutomodAction, automodActions, filteredWordLengthMax, text, trimWhiteSpace } from "@parley/contracts";
import { z } from "zod";
import { unclearable } from "../../http/input.js";
import { automodErrors } from "./error-texts.js";

const flag = (field: string) => unclearable(z.boolean(`${field} must be a boolean`));
const between = (field: string, min: number, max: number) => {
  const message = `${field} must be between ${min} and ${max}`;
  return unclearable(z.int(message).min(min, message).max(max, message));
};
/** Text of the 400 for an unknown action. */
export const actionMessage = "action must be delete, timeout, kick, or ban";
const action = unclearable(z.enum(automodActions, actionMessage).pipe(AutomodAction));

export const updateConfigBody = z.object({
  enabled: flag("enabled"),
  spam_enabled: flag("spam_enabled"),
  spam_max_messages: between("spam_max_messages", 1, 50),
  spam_window_secs: between("spam_window_secs", 1, 60),
  spam_action: action,
  duplicate_enabled: flag("duplicate_enabled"),
  word_filter_enabled: flag("word_filter_enabled"),
  word_filter_action: action,
  timeout_minutes: between("timeout_minutes", 1, 10_080),
});
export type UpdateConfig = z.infer<typeof updateConfigBody>;

const blank = "word cannot be empty";

/** Words are compared in lower case (docs/interface.md#4.25). */
const normalise = (value: string) => trimWhiteSpace(value).toLowerCase();

export const addWordBody = z.object({
  word: z
    .string(blank)
    .transform(normalise)
    .pipe(
      z
        .string()
        .min(1, blank)
        .pipe(text({ min: 1, max: filteredWordLengthMax, message: automodErrors.wordLength })),
    ),
});

/** A word that cannot be on the list is as absent as any other. */
export const wordParam = z.string().transform(normalise);
