import { Ban } from "@parley/contracts";
import { z } from "zod";
import { identifier } from "../http/input.js";
import { noContent, ok, type Route, route } from "../http/route.js";
import { lackPermission } from "../moderation/service.js";
import type { BanService } from "./service.js";

const errors = { not_found: ["Server not found"], forbidden: [lackPermission] };

export function banRoutes(bans: BanService): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/servers/:server_id/bans",
        tag: "bans",
        summary: "List bans, newest first",
        caller: "account",
        params: z.object({ server_id: identifier }),
        success: ok(z.array(Ban)),
        errors,
      },
      ({ identity, params }) => bans.list(identity.userId, params.server_id),
    ),
    route(
      {
        method: "delete",
        path: "/servers/:server_id/bans/:user_id",
        tag: "bans",
        summary: "End a ban",
        caller: "account",
        params: z.object({ server_id: identifier, user_id: identifier }),
        success: noContent(),
        errors,
      },
      ({ identity, params }) => bans.remove(identity.userId, params.server_id, params.user_id),
    ),
  ];
}
