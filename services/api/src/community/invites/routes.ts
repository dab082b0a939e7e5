import { caps, errorTexts, Invite, InvitePreview, JoinedServer, PublicInvitePreview } from "@parley/contracts";
import { z } from "zod";
import { capText } from "../../access/caps.js";
import { identifier } from "../../platform/http/input.js";
import { created, noContent, ok, type Route, route } from "../../platform/http/route.js";
import { joined, membershipCaps } from "../members/membership.js";
import { createInviteBody } from "./schema.js";
import type { InviteService } from "./service.js";

const serverParams = z.object({ server_id: identifier });
const codeParams = z.object({ code: z.string() });
const path = "/servers/:server_id/invites";
const serverNotFound = [errorTexts.server_not_found];
const needCreateInvites = [errorTexts.create_invites_required];

export function inviteRoutes(invites: InviteService): Route[] {
  return [
    route(
      {
        method: "get",
        path,
        name: "invites.list",
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
        name: "invites.create",
        summary: "Create an invite",
        caller: "account",
        causes: ["INVITE_CREATE", "INVITE_DELETE"],
        params: serverParams,
        body: createInviteBody,
        success: created(Invite),
        errors: {
          invalid_input: [errorTexts.max_uses_invalid, errorTexts.expires_in_hours_range, capText(caps.invites)],
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
        name: "invites.revoke",
        summary: "Revoke an invite",
        caller: "account",
        causes: ["INVITE_DELETE"],
        params: serverParams.extend({ invite_id: identifier }),
        success: noContent(),
        errors: { not_found: [...serverNotFound, errorTexts.invite_not_found], forbidden: needCreateInvites },
      },
      ({ identity, params }) => invites.revoke(identity.userId, params),
    ),
    route(
      {
        method: "get",
        path: "/invites/:code",
        name: "invites.preview",
        summary: "See where an invite leads",
        caller: "account",
        attempts: { code: "unguessable" },
        params: codeParams,
        success: ok(InvitePreview),
        errors: { not_found: [errorTexts.invite_not_found_or_expired] },
      },
      ({ identity, params }) => invites.preview(identity.userId, params.code),
    ),
    route(
      {
        method: "get",
        path: "/invites/:code/preview",
        name: "invites.publicPreview",
        summary: "See where an invite leads, before a login",
        caller: "anyone",
        attempts: { code: "unguessable" },
        params: codeParams,
        success: ok(PublicInvitePreview),
        errors: { not_found: [errorTexts.invite_not_found_or_expired] },
      },
      ({ params }) => invites.publicPreview(params.code),
    ),
    route(
      {
        method: "post",
        path: "/invites/:code/accept",
        name: "invites.accept",
        summary: "Join a server, also a private one, by invite",
        caller: "account",
        causes: ["SERVER_JOIN", "MEMBER_JOIN", "COMMANDS_UPDATE", "SERVER_RAID_START", "SERVER_RAID_END"],
        attempts: { code: "unguessable" },
        params: codeParams,
        success: created(JoinedServer),
        errors: {
          not_found: [errorTexts.invite_not_found],
          invalid_input: [errorTexts.invite_expired, errorTexts.invite_used_up, ...membershipCaps],
          forbidden: [errorTexts.banned, errorTexts.under_raid],
          conflict: [errorTexts.already_member],
        },
      },
      async ({ identity, params }) => joined(await invites.accept(identity.userId, params.code)),
    ),
  ];
}
