import { caps, errorTexts, FriendList } from "@parley/contracts";
import { z } from "zod";
import { capText } from "../../access/caps.js";
import { identifier } from "../../platform/http/input.js";
import { noContent, ok, type Route, route } from "../../platform/http/route.js";
import { newRequestsMax } from "./limits.js";
import type { FriendService } from "./service.js";

const path = "/users/@me/friends/:user_id";
const params = z.object({ user_id: identifier });

export function friendRoutes(friends: FriendService): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/users/@me/friends",
        name: "friends.list",
        summary: "List friends and requests for friendship",
        caller: "account",
        success: ok(FriendList),
      },
      ({ identity }) => friends.list(identity.userId),
    ),
    route(
      {
        method: "put",
        path,
        name: "friends.add",
        summary: "Ask somebody for friendship, or accept their request",
        description: `An account and its bots make at most ${newRequestsMax} new requests in 24 hours.`,
        caller: "account",
        causes: ["FRIEND_UPDATE"],
        params,
        success: noContent("Asked or accepted, or so already"),
        errors: {
          invalid_input: [
            errorTexts.cannot_befriend_yourself,
            capText(caps.friends),
            capText(caps.outgoingRequests),
            capText(caps.incomingRequests),
          ],
          forbidden: [errorTexts.cannot_message_user],
          not_found: [errorTexts.user_not_found],
        },
      },
      ({ identity, params }) => friends.add(identity.userId, params.user_id),
    ),
    route(
      {
        method: "delete",
        path,
        name: "friends.remove",
        summary: "End a friendship, refuse a request or take one back",
        caller: "account",
        causes: ["FRIEND_UPDATE"],
        params,
        success: noContent("Ended, or so already"),
        errors: { not_found: [errorTexts.user_not_found] },
      },
      ({ identity, params }) => friends.remove(identity.userId, params.user_id),
    ),
  ];
}
