import { caps, errorTexts, Invite, InvitePreview, JoinedServer, PublicInvitePreview } from "@parley/contracts";
import { z } from "zod";
import { capText } from "../../access/caps.js";
import { inServer } from "../../access/may.js";
import { identifier } from "../../platform/http/input.js";
import { created, noContent, ok, type Route, route } from "../../platform/http/route.js";
import { joined, membershipCaps } from "../members/membership.js";
import { createInviteBody, vanityBody } from "./schema.js";
import { chooseVanity, createInvites, type InviteService, namedInvite } from "./service.js";

const serverParams = z.object({ server_id: identifier });
const codeParams = z.object({ code: z.string() });
const path = "/servers/:server_id/invites";
const vanityParams = z.object({ id: identifier });
const vanityPath = "/servers/:id/vanity";

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
        may: inServer(createInvites),
        success: ok(z.array(Invite)),
      },
      async ({ may }) => invites.list(await may.access()),
    ),
    route(
      {
        method: "post",
        path,
        name: "invites.create",
        summary: "Create an invite",
        caller: "account",
        causes: ["INVITE_CREATE", "INVITE_DELETE", "AUDIT_LOG_ENTRY_CREATE"],
        params: serverParams,
        may: inServer(createInvites),
        body: createInviteBody,
        success: created(Invite),
        errors: {
          invalid_input: [
            errorTexts.max_uses_invalid,
            errorTexts.expires_in_hours_range,
            errorTexts.invite_roles_invalid,
            capText(caps.invites),
          ],
          not_found: [errorTexts.role_not_found],
          forbidden: [
            errorTexts.role_assign_above,
            errorTexts.cannot_grant_permissions,
            errorTexts.cannot_grant_rights,
          ],
        },
      },
      ({ may, body }) => invites.create(may, body),
    ),
    route(
      {
        method: "delete",
        path: `${path}/:invite_id`,
        name: "invites.revoke",
        summary: "Revoke an invite",
        caller: "account",
        causes: ["INVITE_DELETE", "AUDIT_LOG_ENTRY_CREATE"],
        params: serverParams.extend({ invite_id: identifier }),
        may: inServer(createInvites, namedInvite),
        success: noContent(),
      },
      ({ may, params }) => invites.revoke(may, params),
    ),
    route(
      {
        method: "put",
        path: vanityPath,
        name: "invites.setVanity",
        summary: "Choose the address of a server",
        description: "An invite that never expires, with a code that the owner chose, in place of the one before.",
        caller: "account",
        causes: ["INVITE_CREATE", "INVITE_DELETE", "AUDIT_LOG_ENTRY_CREATE"],
        attempts: { code: "chosen" },
        params: vanityParams,
        may: inServer(chooseVanity),
        body: vanityBody,
        success: ok(Invite),
        errors: {
          invalid_input: [errorTexts.vanity_code_invalid, capText(caps.invites)],
          conflict: [errorTexts.vanity_taken],
        },
      },
      ({ may, body }) => invites.setVanity(may, body.code),
    ),
    route(
      {
        method: "delete",
        path: vanityPath,
        name: "invites.removeVanity",
        summary: "Give up the address of a server",
        caller: "account",
        causes: ["INVITE_DELETE", "AUDIT_LOG_ENTRY_CREATE"],
        params: vanityParams,
        may: inServer(chooseVanity),
        success: noContent(),
        errors: { not_found: [errorTexts.invite_not_found] },
      },
      ({ may }) => invites.removeVanity(may),
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
        causes: [
          "SERVER_JOIN",
          "MEMBER_JOIN",
          "MEMBER_ROLE_ADD",
          "COMMANDS_UPDATE",
          "SERVER_RAID_START",
          "SERVER_RAID_END",
        ],
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
