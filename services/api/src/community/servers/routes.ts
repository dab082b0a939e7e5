import { caps, errorTexts, FoundServers, JoinedServer, Server } from "@parley/contracts";
import { z } from "zod";
import { capText } from "../../access/caps.js";
import { inServer } from "../../access/may.js";
import { owner } from "../../access/needs.js";
import { deviceOf } from "../../accounts/auth/device.js";
import { identifier } from "../../platform/http/input.js";
import { created, noContent, ok, type Route, route } from "../../platform/http/route.js";
import { joined, membershipCaps } from "../members/membership.js";
import type { Browse } from "./browse.js";
import type { HandOver } from "./hand-over.js";
import { browsePageMax, browseQuery, createServerBody, handOverBody, isSearch, updateServerBody } from "./schema.js";
import { type ServerService, updateRight } from "./service.js";

interface ServerFeature {
  servers: ServerService;
  browse: Browse;
  handOver: HandOver;
}

const params = z.object({ id: identifier });
const inputErrors = [
  errorTexts.server_name_length,
  errorTexts.icon_url_scheme,
  errorTexts.icon_url_length,
  errorTexts.is_public_not_boolean,
  errorTexts.require_invite_not_boolean,
  errorTexts.hierarchy_not_boolean,
];

const faceErrors = [
  errorTexts.banner_url_scheme,
  errorTexts.banner_url_length,
  errorTexts.server_description_length,
  errorTexts.server_tags_invalid,
  errorTexts.browse_language_invalid,
  errorTexts.timezone_invalid,
];

export function serverRoutes({ servers, browse, handOver }: ServerFeature): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/servers",
        name: "servers.list",
        summary: "List the caller's servers",
        caller: "account",
        success: ok(z.array(Server)),
      },
      ({ identity }) => servers.list(identity.userId),
    ),
    route(
      {
        method: "post",
        path: "/servers",
        name: "servers.create",
        summary: "Create a server",
        caller: "account",
        causes: ["SERVER_JOIN", "MEMBER_JOIN"],
        body: createServerBody,
        success: created(Server),
        errors: {
          invalid_input: [...inputErrors, errorTexts.template_unknown, capText(caps.ownedServers), ...membershipCaps],
        },
      },
      ({ identity, body }) => servers.create(identity.userId, body),
    ),
    route(
      {
        method: "get",
        path: "/servers/browse",
        name: "servers.browse",
        queryName: "servers.search",
        summary: "Browse public servers",
        description:
          "Without parameters the first 50 servers, those with the most members first. With any parameter a page: `q` finds " +
          "words and beginnings of words in name, description and tags; a language finds its variants, too; `active` sorts by " +
          "the members who are connected. Servers that administrators feature come first.",
        caller: "account",
        query: browseQuery,
        success: ok(z.union([z.array(Server), FoundServers])),
        errors: {
          invalid_input: [
            errorTexts.member_list_q_length,
            errorTexts.server_tags_invalid,
            errorTexts.browse_language_invalid,
            errorTexts.browse_sort_invalid,
            errorTexts.after_invalid,
            errorTexts.limit_range(browsePageMax),
          ],
        },
      },
      async ({ identity, query, request }) =>
        isSearch(request.query) ? browse.search(identity.userId, query) : browse.list(),
    ),
    route(
      {
        method: "get",
        path: "/servers/:id",
        name: "servers.get",
        summary: "Get a server",
        caller: "account",
        params,
        may: inServer(),
        success: ok(Server),
      },
      async ({ may }) => servers.get((await may.access()).serverId),
    ),
    route(
      {
        method: "patch",
        path: "/servers/:id",
        name: "servers.update",
        summary: "Update a server",
        caller: "account",
        causes: ["SERVER_UPDATE", "SERVER_SETTINGS_UPDATE", "AUDIT_LOG_ENTRY_CREATE"],
        params,
        may: inServer(updateRight),
        body: updateServerBody,
        success: ok(Server),
        errors: { invalid_input: [...inputErrors, ...faceErrors] },
      },
      ({ may, body }) => servers.update(may, body),
    ),
    route(
      {
        method: "delete",
        path: "/servers/:id",
        name: "servers.delete",
        summary: "Delete a server",
        caller: "account",
        causes: ["SERVER_LEAVE", "VOICE_STATE_UPDATE", "GO_LIVE_STOP"],
        params,
        may: inServer(owner(errorTexts.server_delete_owner_only)),
        success: noContent(),
      },
      async ({ may }) => servers.delete(await may.access()),
    ),
    ...membershipRoutes(servers, handOver),
  ];
}

/** Owning, joining and leaving a server. */
function membershipRoutes(servers: ServerService, handOver: HandOver): Route[] {
  return [
    route(
      {
        method: "post",
        path: "/servers/:id/owner",
        name: "servers.handOver",
        summary: "Hand a server over to another member",
        description: "The caller stays a member and keeps their roles.",
        caller: "user",
        causes: ["SERVER_UPDATE", "VOICE_STATE_UPDATE", "GO_LIVE_STOP", "AUDIT_LOG_ENTRY_CREATE"],
        attempts: { password: "counted" },
        params,
        may: inServer(owner(errorTexts.hand_over_owner_only)),
        body: handOverBody,
        success: ok(Server),
        errors: {
          invalid_input: [
            errorTexts.user_id_invalid,
            errorTexts.login_password_length,
            errorTexts.wrong_password,
            errorTexts.bots_cannot_own_servers,
            capText(caps.ownedServers),
          ],
          not_found: [errorTexts.member_not_found],
          rate_limited: [errorTexts.rate_limited],
        },
      },
      ({ may, body, request }) => handOver(may, body, deviceOf(request)),
    ),
    route(
      {
        method: "post",
        path: "/servers/:id/join",
        name: "servers.join",
        summary: "Join a public server",
        caller: "account",
        causes: ["SERVER_JOIN", "MEMBER_JOIN", "COMMANDS_UPDATE", "SERVER_RAID_START", "SERVER_RAID_END"],
        params,
        success: created(JoinedServer),
        errors: {
          invalid_input: membershipCaps,
          conflict: [errorTexts.already_member],
          not_found: [errorTexts.server_not_found],
          forbidden: [errorTexts.banned, errorTexts.under_raid, errorTexts.invite_required],
        },
      },
      async ({ identity, params }) => {
        await servers.join(identity.userId, params.id);
        return joined(params.id);
      },
    ),
    route(
      {
        method: "delete",
        path: "/servers/:id/leave",
        name: "servers.leave",
        summary: "Leave a server",
        caller: "account",
        causes: ["MEMBER_LEAVE", "SERVER_LEAVE", "COMMANDS_UPDATE", "VOICE_STATE_UPDATE", "GO_LIVE_STOP"],
        params,
        may: inServer(),
        success: noContent(),
        errors: { invalid_input: [errorTexts.owner_cannot_leave] },
      },
      async ({ may }) => servers.leave(await may.access()),
    ),
  ];
}
