import type { Identity } from "@parley/auth";
import { errorTexts } from "@parley/contracts";
import { z } from "zod";
import { identifier } from "../../platform/http/input.js";
import { noContent, none, ok, type Route, route } from "../../platform/http/route.js";
import { AccountSession } from "./schema.js";
import type { SessionService } from "./service.js";

const sessionOf = (identity: Identity) => (identity.kind === "user" ? identity.sessionId : null);

export function sessionRoutes(sessions: SessionService): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/auth/sessions",
        name: "auth.sessions",
        summary: "List the sessions of the caller's account, newest first",
        caller: "user",
        success: ok(z.array(AccountSession)),
      },
      ({ identity }) => sessions.list(identity.userId, sessionOf(identity)),
    ),
    route(
      {
        method: "delete",
        path: "/auth/sessions/:id",
        name: "auth.endSession",
        summary: "End a session of the caller's account",
        description: "Its access and refresh tokens are refused and its gateway connections closed (1000) at once.",
        caller: "user",
        causes: none("the session's connections end"),
        params: z.object({ id: identifier }),
        success: noContent(),
        errors: { not_found: [errorTexts.session_not_found] },
      },
      ({ identity, params }) => sessions.end(identity.userId, params.id),
    ),
    route(
      {
        method: "post",
        path: "/auth/logout",
        name: "auth.logout",
        summary: "End the session that the request is made with",
        caller: "user",
        setsUpFactor: true,
        causes: none("the session's connections end"),
        success: noContent(),
      },
      ({ identity }) => sessions.logout(identity.userId, sessionOf(identity)),
    ),
  ];
}
