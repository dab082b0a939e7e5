import { errorTexts, PublicProfile, User } from "@parley/contracts";
import { z } from "zod";
import { identifier } from "../../platform/http/input.js";
import { ok, type Route, route } from "../../platform/http/route.js";
import { updateUserBody } from "./schema.js";
import type { UserService } from "./service.js";

export function userRoutes(users: UserService): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/users/@me",
        name: "users.me",
        summary: "Get the caller's account",
        caller: "account",
        success: ok(User),
      },
      ({ identity }) => users.own(identity.userId),
    ),
    route(
      {
        method: "patch",
        path: "/users/@me",
        name: "users.updateMe",
        summary: "Update the caller's profile and presence, and who may write to them",
        caller: "account",
        causes: ["USER_UPDATE", "MEMBER_UPDATE", "PRESENCE_UPDATE"],
        body: updateUserBody,
        success: ok(User),
        errors: {
          invalid_input: [
            errorTexts.status_invalid,
            errorTexts.avatar_url_scheme,
            errorTexts.avatar_url_length,
            errorTexts.bio_length,
            errorTexts.pronouns_length,
            errorTexts.custom_status_length,
            errorTexts.activity_length,
            errorTexts.dms_from_invalid,
          ],
        },
      },
      ({ identity, body }) => users.update(identity.userId, body),
    ),
    route(
      {
        method: "get",
        path: "/users/:user_id",
        name: "users.get",
        summary: "Get somebody's public profile",
        caller: "account",
        params: z.object({ user_id: identifier }),
        success: ok(PublicProfile),
        errors: { not_found: [errorTexts.user_not_found] },
      },
      ({ params }) => users.profile(params.user_id),
    ),
  ];
}
