import { errorTexts, Poll } from "@parley/contracts";
import { z } from "zod";
import { writingErrors } from "../../access/safety.js";
import { identifier } from "../../platform/http/input.js";
import { ok, type Route, route } from "../../platform/http/route.js";
import { voteBody } from "./schema.js";
import { mayVote, type PollService } from "./service.js";

const params = z.object({ poll_id: identifier });

export function pollRoutes(polls: PollService): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/polls/:poll_id",
        name: "polls.get",
        summary: "Get a poll with the caller's vote",
        caller: "account",
        params,
        may: mayVote,
        success: ok(Poll),
      },
      ({ may }) => polls.get(may),
    ),
    route(
      {
        method: "post",
        path: "/polls/:poll_id/vote",
        name: "polls.vote",
        summary: "Vote, or change one's vote",
        caller: "account",
        causes: ["POLL_VOTE", "POLL_VOTE_ADD", "POLL_VOTE_REMOVE"],
        params,
        may: mayVote,
        body: voteBody,
        success: ok(Poll),
        errors: {
          invalid_input: [errorTexts.option_id_invalid, errorTexts.option_ids_invalid],
          forbidden: writingErrors,
          conflict: [errorTexts.poll_ended],
        },
      },
      ({ may, params, body }) => polls.vote(may, params.poll_id, body),
    ),
    route(
      {
        method: "delete",
        path: "/polls/:poll_id/vote",
        name: "polls.takeVoteBack",
        summary: "Take one's vote back",
        caller: "account",
        causes: ["POLL_VOTE", "POLL_VOTE_REMOVE"],
        params,
        may: mayVote,
        success: ok(Poll),
        errors: { forbidden: writingErrors, conflict: [errorTexts.poll_ended] },
      },
      ({ may, params }) => polls.takeBack(may, params.poll_id),
    ),
    route(
      {
        method: "post",
        path: "/polls/:poll_id/end",
        name: "polls.end",
        summary: "End one's own poll",
        caller: "account",
        causes: ["POLL_END"],
        params,
        may: mayVote,
        success: ok(Poll),
        errors: { forbidden: [...writingErrors, errorTexts.poll_author_only], conflict: [errorTexts.poll_ended] },
      },
      ({ may, params }) => polls.end(may, params.poll_id),
    ),
  ];
}
