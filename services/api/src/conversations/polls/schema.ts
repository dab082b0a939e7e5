import { errorTexts, listOf, type Poll, trimmedText, uuidInput } from "@parley/contracts";
import { v7 as uuidv7 } from "uuid";
import { z } from "zod";
import { nonceInput } from "../../platform/nonces/schema.js";

/** Options of a poll (docs/protocol/messages.md#7.5). */
const optionsMin = 2;
const optionsMax = 10;

export const createPollBody = z.object({
  question: trimmedText({ min: 1, max: 500, message: errorTexts.poll_question_length }),
  options: listOf(trimmedText({ min: 1, max: 200, message: errorTexts.poll_option_length }), {
    min: optionsMin,
    max: optionsMax,
    message: errorTexts.poll_options_count,
  }),
  nonce: nonceInput,
});
export type CreatePoll = z.infer<typeof createPollBody>;

/** No list is ordered by the ids of polls and options, so the clock of this process may generate them. */
export function newPoll({ question, options }: CreatePoll): Poll {
  return {
    id: uuidv7(),
    question,
    options: options.map((text) => ({ id: uuidv7(), text, votes: 0 })),
    total_votes: 0,
    user_vote: null,
  };
}

export const voteBody = z.object({ option_id: uuidInput(errorTexts.option_id_invalid) });
