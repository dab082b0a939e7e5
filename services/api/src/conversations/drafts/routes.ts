import { caps, DraftList, errorTexts } from "@parley/contracts";
import { z } from "zod";
import { capText } from "../../access/caps.js";
import { identifier } from "../../platform/http/input.js";
import { noContent, ok, type Route, route } from "../../platform/http/route.js";
import { mayReadAnyChannel } from "../any-message/find.js";
import { draftBody } from "./schema.js";
import type { Drafts } from "./service.js";

export function draftRoutes(drafts: Drafts): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/users/@me/drafts",
        name: "drafts.list",
        summary: "List what one has begun to write, the draft changed last first",
        caller: "account",
        success: ok(DraftList),
      },
      ({ identity }) => drafts.list(identity.userId),
    ),
    route(
      {
        method: "put",
        path: "/users/@me/drafts/:channel_id",
        name: "drafts.write",
        summary: "Keep a draft for a channel, a direct message or a thread",
        description:
          "`content` null deletes it. Of two writers the one with the later `updated_at` wins, by default the time of the " +
          "request; a time to come counts as now.",
        caller: "account",
        causes: ["DRAFT_UPDATE"],
        params: z.object({ channel_id: identifier }),
        may: mayReadAnyChannel,
        body: draftBody,
        success: noContent("Kept, or an older form than the one that is kept"),
        errors: {
          invalid_input: [
            errorTexts.message_content_length,
            errorTexts.reply_to_invalid,
            errorTexts.thread_id_invalid,
            errorTexts.updated_at_invalid,
            capText(caps.drafts),
          ],
        },
      },
      ({ may, body }) => drafts.write(may, body),
    ),
  ];
}
