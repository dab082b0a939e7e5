import { Invite, InvitePreview, JoinedServer } from "@parley/contracts";
import { z } from "zod";
import { caps, capText } from "../access/caps.js";
import { identifier } from "../http/input.js";
import { created, noContent, ok, type Route, route } from "../http/route.js";
import { joined, membershipCaps } from "../members/membership.js";
import { createInviteBody } from "./schema.js";
import type { InviteService } from "./service.js";

const serverParams = z.object({ server_id: identifier });
const codeParams = z.object({ code: z.string() });
const path = "/servers/:server_id/invites";
const serverNotFound = ["Server not found"];
const needCreateInvites = ["You need the Create Invites permission"];

export function inviteRoutes(invites: InviteService): Route[] {
  return [
    route(
      {
        method: "get",
        path,
        tag: "invites",
        summary: "List the invites of a server, newest first",
        caller: "account",
        params: serverParams,
        success: ok(z.array(Invite)),
        errors: { not_found: serverNotFound, forbidden: needCreateInvites },
      },
      ({ identity, params }) => invites.list(identity.userId, params.server_id),
    ),
    route(
      {
        method: "post",
        path,
        tag: "invites",
        summary: "Create an invite",
        caller: "account",
        params: serverParams,
        body: createInviteBody,
        success: created(Invite),
        errors: {
          invalid_input: [
            "max_uses must be greater than 0",
            "expires_in_hours must be between 1 and 720",
            capText(caps.invites),
          ],
          not_found: serverNotFound,
          forbidden: needCreateInvites,
        },
      },
      ({ identity, params, body }) => invites.create(identity.userId, params.server_id, body),
    ),
    route(
      {
        method: "delete",
        path: `${path}/:invite_id`,
        tag: "invites",
        summary: "Revoke an invite",
        caller: "account",
        params: serverParams.extend({ invite_id: identifier }),
        success: noContent(),
        errors: { not_found: [...serverNotFound, "Invite not found"], forbidden: needCreateInvites },
      },
      ({ identity, params }) => invites.revoke(identity.userId, params),
    ),
    route(
      {
        method: "get",
        path: "/invites/:code",
        tag: "invites",
        summary: "See where an invite leads",
        caller: "account",
        params: codeParams,
        success: ok(InvitePreview),
        errors: { not_found: ["Invite not found or has expired"] },
      },
      ({ params }) => invites.preview(params.code),
    ),
    route(
      {
        method: "post",
        path: "/invites/:code/accept",
        tag: "invites",
        summary: "Join a server, also a private one, by invite",
        caller: "account",
        params: codeParams,
        success: created(JoinedServer),
        errors: {
          not_found: ["Invite not found"],
          invalid_input: ["This invite has expired", "This invite has reached its maximum uses", ...membershipCaps],
          forbidden: ["You are banned from this server"],
          conflict: ["Already a member of this server"],
        },
      },
      async ({ identity, params }) => joined(await invites.accept(identity.userId, params.code)),
    ),
  ];
}
