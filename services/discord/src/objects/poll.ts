import type { Poll } from "@parley/contracts";
import { type APIPoll, PollLayoutType } from "discord-api-types/v10";

/** Discord's poll; answers count from 1, and it never ends (docs/protocol/messages.md#7.5). */
export function toPoll({ question, options, user_vote }: Poll): APIPoll {
  return {
    question: { text: question },
    answers: options.map(({ text }, index) => ({ answer_id: index + 1, poll_media: { text } })),
    expiry: null,
    allow_multiselect: false,
    layout_type: PollLayoutType.Default,
    results: {
      is_finalized: false,
      answer_counts: options.map(({ id, votes }, index) => ({
        id: index + 1,
        count: votes,
        me_voted: id === user_vote,
      })),
    },
  };
}
