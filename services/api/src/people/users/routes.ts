import { errorTexts, PublicProfile, User } from "@parley/contracts";
import { z } from "zod";
import { identifier } from "../../platform/http/input.js";
import { noContent, none, ok, type Route, route } from "../../platform/http/route.js";
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
        setsUpFactor: true,
        success: ok(User),
      },
      ({ identity }) => users.own(identity.userId),
    ),
    route(
      {
        method: "post",
        path: "/users/@me/terms",
        name: "users.acceptTerms",
        summary: "Accept the terms of the installation as they are",
        caller: "account",
        causes: none("a page reads whether it has to ask when it starts"),
        success: noContent(),
      },
      ({ identity }) => users.acceptTerms(identity.userId),
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
