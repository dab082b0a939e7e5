import { errorTexts, Thread, ThreadPage } from "@parley/contracts";
import { z } from "zod";
import { inServer } from "../../access/may.js";
import { identifier } from "../../platform/http/input.js";
import { noContent, ok, type Route, route } from "../../platform/http/route.js";
import { readUpTo, readUpToErrors } from "../read-states/schema.js";
import { threadsQuery, threadsQueryErrors, updateThreadBody } from "./state-schema.js";
import { mayChangeThread, mayReadThread, type Threads } from "./state-service.js";

const params = z.object({ id: identifier });

export function threadStateRoutes(threads: Threads): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/servers/:server_id/threads",
        name: "threads.find",
        summary: "List the threads of a server, the one with the latest reply first",
        description: "In the channels that the caller may view; of a channel that they may not, none.",
        caller: "account",
        params: z.object({ server_id: identifier }),
        may: inServer(),
        query: threadsQuery,
        success: ok(ThreadPage),
        errors: { invalid_input: threadsQueryErrors },
      },
      async ({ may, query }) => threads.list(await may.access(), query),
    ),
    route(
      {
        method: "patch",
        path: "/threads/:id",
        name: "threads.update",
        summary: "Give a thread a title, close or open it",
        caller: "account",
        causes: ["THREAD_UPDATE"],
        params,
        may: mayChangeThread,
        body: updateThreadBody,
        success: ok(Thread),
        errors: { invalid_input: [errorTexts.thread_title_length, errorTexts.closed_not_boolean] },
      },
      ({ may, body }) => threads.change(may, body),
    ),
    route(
      {
        method: "post",
        path: "/threads/:id/ack",
        name: "threads.markRead",
        summary: "Mark a thread that one follows as read",
        caller: "account",
        causes: ["READ_STATE_UPDATE", "NOTIFICATIONS_UPDATE"],
        params,
        may: mayReadThread,
        body: readUpTo,
        success: noContent(),
        errors: { invalid_input: readUpToErrors, not_found: [errorTexts.message_not_found] },
      },
      ({ may, body }) => threads.markRead(may, body.message_id),
    ),
  ];
}
