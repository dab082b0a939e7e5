import { z } from "zod";
import { accessErrors } from "../../access/error-texts.js";
import { ownsServers } from "../../background-work/account-deletion/begin.js";
import { identifier } from "../../http/input.js";
import { noContent, ok, type Route, route } from "../../http/route.js";
import { userErrors } from "../users/error-texts.js";
import { administrationErrors } from "./error-texts.js";
import { pageErrors, userPageQuery } from "./page-schema.js";
import { AdminUser, AdminUserPage, updateUserBody } from "./user-schema.js";
import type { AdminUserService } from "./user-service.js";

const tag = "administration";
const params = z.object({ id: identifier });

export function adminUserRoutes(users: AdminUserService): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/admin/users",
        tag,
        summary: "List the accounts",
        description: "`search`: part of the username, any case. Descending but for `sort_by=username`.",
        caller: "admin",
        query: userPageQuery,
        success: ok(AdminUserPage),
        errors: { invalid_input: [...pageErrors, administrationErrors.sortBy] },
      },
      ({ query }) => users.list(query),
    ),
    route(
      {
        method: "patch",
        path: "/admin/users/:id",
        tag,
        summary: "Make or unmake an administrator, disable or enable an account",
        description: "Disabling ends the account's sessions at once and closes its gateway connections (1000).",
        caller: "admin",
        params,
        body: updateUserBody,
        success: ok(AdminUser),
        errors: {
          invalid_input: [
            administrationErrors.isAdmin,
            administrationErrors.disabled,
            administrationErrors.yourself,
            accessErrors.lastAdmin,
            administrationErrors.adminBySetting,
            administrationErrors.botAdmin,
          ],
          not_found: [userErrors.notFound],
        },
      },
      ({ identity, params, body }) => users.update(identity.userId, params.id, body),
    ),
    route(
      {
        method: "delete",
        path: "/admin/users/:id",
        tag,
        summary: "Delete an account that owns no server",
        description: "Its messages stay without an author, its bots are revoked, its direct messages end.",
        caller: "admin",
        params,
        success: noContent(),
        errors: {
          invalid_input: [administrationErrors.yourself, ownsServers, accessErrors.lastAdmin],
          not_found: [userErrors.notFound],
        },
      },
      ({ identity, params }) => users.delete(identity.userId, params.id),
    ),
  ];
}
