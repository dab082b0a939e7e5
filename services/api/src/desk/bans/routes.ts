import { Ban, errorTexts } from "@parley/contracts";
import { z } from "zod";
import { inServer } from "../../access/may.js";
import { permission } from "../../access/needs.js";
import { identifier } from "../../platform/http/input.js";
import { noContent, ok, type Route, route, type Success } from "../../platform/http/route.js";
import { sendLongList } from "../../platform/http/send-list.js";
import type { BanService } from "./service.js";

const may = inServer(permission("BAN_MEMBERS", errorTexts.missing_permission));

/** Sent by the handler itself. */
const list: Success = ok(z.array(Ban));

export function banRoutes(bans: BanService): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/servers/:server_id/bans",
        name: "moderation.bans",
        tag: "bans",
        summary: "List bans, newest first",
        caller: "account",
        params: z.object({ server_id: identifier }),
        may,
        success: list,
      },
      async ({ may, response }) => sendLongList(response, bans.list(await may.access())),
    ),
    route(
      {
        method: "delete",
        path: "/servers/:server_id/bans/:user_id",
        name: "moderation.unban",
        tag: "bans",
        summary: "End a ban",
        caller: "account",
        causes: ["MEMBER_UNBAN", "AUDIT_LOG_ENTRY_CREATE"],
        params: z.object({ server_id: identifier, user_id: identifier }),
        may,
        success: noContent(),
      },
      ({ may, params }) => bans.remove(may, params.user_id),
    ),
  ];
}
