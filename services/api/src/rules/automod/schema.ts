import {
  AutomodAction,
  automodActions,
  errorTexts,
  filteredWordLengthMax,
  text,
  trimWhiteSpace,
} from "@parley/contracts";
import { z } from "zod";
import { nonNull } from "../../platform/http/input.js";

const flag = (field: `${"" | "spam_" | "duplicate_" | "word_filter_"}enabled`) =>
  nonNull(z.boolean(errorTexts[`${field}_not_boolean`]));
const between = (field: "spam_max_messages" | "spam_window_secs" | "timeout_minutes", min: number, max: number) => {
  const message = errorTexts[`${field}_range`];
  return nonNull(z.int(message).min(min, message).max(max, message));
};
const action = nonNull(z.enum(automodActions, errorTexts.automod_action_invalid).pipe(AutomodAction));

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

/** Words are compared in lower case (docs/protocol/objects.md#4.25). */
const normalise = (value: string) => trimWhiteSpace(value).toLowerCase();

export const addWordBody = z.object({
  word: z
    .string(errorTexts.word_empty)
    .transform(normalise)
    .pipe(
      z
        .string()
        .min(1, errorTexts.word_empty)
        .pipe(text({ min: 1, max: filteredWordLengthMax, message: errorTexts.word_length })),
    ),
});

/** A word that cannot be on the list is as absent as any other. */
export const wordParam = z.string().transform(normalise);
