import { errorTexts, listOf, type Poll, trimmedText, uuidInput } from "@parley/contracts";
import { v7 as uuidv7 } from "uuid";
import { z } from "zod";
import { nonNull } from "../../platform/http/input.js";
import { nonceInput } from "../../platform/nonces/schema.js";

/** Options of a poll (docs/protocol/messages.md#7.5). */
const optionsMin = 2;
const optionsMax = 10;
/** Most choices that a voter may have (docs/protocol/messages.md#34.7). */
const choicesMax = 10;

const range = (min: number, max: number, message: string) => z.int(message).min(min, message).max(max, message);

export const createPollBody = z.object({
  question: trimmedText({ min: 1, max: 500, message: errorTexts.poll_question_length }),
  options: listOf(trimmedText({ min: 1, max: 200, message: errorTexts.poll_option_length }), {
    min: optionsMin,
    max: optionsMax,
    message: errorTexts.poll_options_count,
  }),
  multiple: nonNull(range(1, choicesMax, errorTexts.poll_multiple_range)),
  ends_in_minutes: nonNull(range(5, 43_200, errorTexts.poll_ends_range)),
  nonce: nonceInput,
});
export type CreatePoll = z.infer<typeof createPollBody>;

/** No list is ordered by the ids of polls and options, so the clock of this process may generate them. */
export function newPoll({ question, options, multiple, ends_in_minutes: minutes }: CreatePoll): Poll {
  const ends_at = minutes === undefined ? undefined : new Date(Date.now() + minutes * 60_000).toISOString();
  const poll = {
    id: uuidv7(),
    question,
    options: options.map((text) => ({ id: uuidv7(), text, votes: 0 })),
    total_votes: 0,
    user_vote: null,
  };
  return withLater(poll, { multiple, ends_at, ended: false, choices: [] });
}

/** What polls have had only since section 34.7: each key where it was set. */
export interface LaterParts {
  readonly multiple: number | undefined;
  readonly ends_at: string | undefined;
  readonly ended: boolean;
  /** The viewer's options. */
  readonly choices: readonly string[];
}

export function withLater(poll: Poll, { multiple, ends_at, ended, choices }: LaterParts): Poll {
  if (multiple === undefined && ends_at === undefined) return poll;
  return {
    ...poll,
    ...(multiple === undefined ? {} : { multiple }),
    user_votes: [...choices],
    ...(ends_at === undefined ? {} : { ends_at, ended }),
  };
}

/** One choice, or all of them, which replace the earlier ones. */
export const voteBody = z
  .object({
    option_id: nonNull(uuidInput(errorTexts.option_id_invalid)),
    option_ids: nonNull(
      listOf(uuidInput(errorTexts.option_ids_invalid), {
        min: 1,
        max: choicesMax,
        message: errorTexts.option_ids_invalid,
      }),
    ),
  })
  .transform(({ option_id, option_ids }, context): readonly string[] => {
    if (option_ids !== undefined) return [...new Set(option_ids)];
    if (option_id !== undefined) return [option_id];
    context.addIssue({ code: "custom", message: errorTexts.option_id_invalid, path: ["option_id"] });
    return z.NEVER;
  });
