import { Member } from "@parley/contracts";
import { z } from "zod";
import { identifier } from "../http/input.js";
import { ok, type Route, route } from "../http/route.js";
import type { MemberService } from "./service.js";

export function memberRoutes(members: MemberService): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/servers/:id/members",
        tag: "members",
        summary: "List the members of a server",
        caller: "account",
        params: z.object({ id: identifier }),
        success: ok(z.array(Member)),
        errors: { not_found: ["Server not found"] },
      },
      ({ identity, params }) => members.list(identity.userId, params.id),
    ),
  ];
}
