import { caps, errorTexts } from "@parley/contracts";
import { z } from "zod";
import { capText } from "../../access/caps.js";
import { clientAddressOf } from "../../platform/http/client-address.js";
import { identifier } from "../../platform/http/input.js";
import { pageLimit } from "../../platform/http/page-limit.js";
import { created, noContent, none, ok, type Route, route } from "../../platform/http/route.js";
import { banNetworkBody, NetworkBan, NetworkBanPage, networkBanQuery } from "./schema.js";
import type { NetworkBanService } from "./service.js";

const path = "/admin/network-bans";
const tag = "administration";

export function networkBanRoutes(bans: NetworkBanService): Route[] {
  return [
    route(
      {
        method: "get",
        path,
        name: "admin.networkBans",
        tag,
        summary: "List banned networks, the newest first",
        caller: "admin",
        query: networkBanQuery.extend({ limit: pageLimit }),
        success: ok(NetworkBanPage),
        errors: { invalid_input: [errorTexts.before_invalid] },
      },
      ({ query: { before, ...query } }) => bans.list({ ...query, before }),
    ),
    route(
      {
        method: "post",
        path,
        name: "admin.banNetwork",
        tag,
        summary: "Ban a network",
        description:
          "It is in force in every process within two seconds, and open connections from it close within five.",
        caller: "admin",
        causes: none("connections from the network close"),
        body: banNetworkBody,
        success: created(NetworkBan),
        errors: {
          invalid_input: [
            errorTexts.network_cidr_invalid,
            errorTexts.reason_length,
            errorTexts.expires_in_minutes_range,
            errorTexts.network_ban_blocks_caller,
            capText(caps.networkBans),
          ],
        },
      },
      ({ identity, body, request }) => bans.create(identity.userId, clientAddressOf(request), body),
    ),
    route(
      {
        method: "delete",
        path: `${path}/:id`,
        name: "admin.unbanNetwork",
        tag,
        summary: "End the ban of a network",
        caller: "admin",
        causes: none("nobody is connected from the network"),
        params: z.object({ id: identifier }),
        success: noContent(),
        errors: { not_found: [errorTexts.network_ban_not_found] },
      },
      ({ identity, params }) => bans.delete(identity.userId, params.id),
    ),
  ];
}
