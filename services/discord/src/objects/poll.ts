import type { Poll } from "@parley/contracts";
import { type APIPoll, PollLayoutType } from "discord-api-types/v10";

/** Discord's poll; answers count from 1 (docs/protocol/messages.md#7.5). */
export function toPoll({ question, options, user_vote, user_votes, multiple = 1, ends_at, ended }: Poll): APIPoll {
  const own = user_votes ?? [user_vote];
  return {
    question: { text: question },
    answers: options.map(({ text }, index) => ({ answer_id: index + 1, poll_media: { text } })),
    expiry: ends_at ?? null,
    allow_multiselect: multiple > 1,
    layout_type: PollLayoutType.Default,
    results: {
      is_finalized: ended === true,
      answer_counts: options.map(({ id, votes }, index) => ({
        id: index + 1,
        count: votes,
        me_voted: own.includes(id),
      })),
    },
  };
}
