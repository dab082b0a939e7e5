import { errorTexts } from "@parley/contracts";
import { z } from "zod";
import { identifier } from "../../../platform/http/input.js";
import { noContent, ok, type Route, route } from "../../../platform/http/route.js";
import { pageErrors, userPageQuery } from "../page-schema.js";
import { AdminUser, AdminUserPage, updateUserBody } from "./schema.js";
import type { AdminUserService } from "./service.js";

const params = z.object({ id: identifier });

export function adminUserRoutes(users: AdminUserService): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/admin/users",
        name: "admin.users",
        tag: "administration",
        summary: "List the accounts",
        description: "`search`: part of the username, any case. Descending but for `sort_by=username`.",
        caller: "admin",
        query: userPageQuery,
        success: ok(AdminUserPage),
        errors: { invalid_input: [...pageErrors, errorTexts.sort_by_invalid] },
      },
      ({ query }) => users.list(query),
    ),
    route(
      {
        method: "patch",
        path: "/admin/users/:id",
        name: "admin.updateUser",
        tag: "administration",
        summary: "Make or unmake an administrator, disable or enable an account, or give it a quota",
        description: "Disabling ends the account's sessions at once and closes its gateway connections (1000).",
        caller: "admin",
        causes: ["USER_UPDATE"],
        params,
        body: updateUserBody,
        success: ok(AdminUser),
        errors: {
          invalid_input: [
            errorTexts.is_admin_not_boolean,
            errorTexts.disabled_not_boolean,
            errorTexts.own_account,
            errorTexts.last_admin,
            errorTexts.admin_by_setting,
            errorTexts.bots_cannot_be_admins,
            errorTexts.quota_invalid,
          ],
          not_found: [errorTexts.user_not_found],
        },
      },
      ({ identity, params, body }) => users.update(identity.userId, params.id, body),
    ),
    route(
      {
        method: "delete",
        path: "/admin/users/:id",
        name: "admin.deleteUser",
        tag: "administration",
        summary: "Delete an account that owns no server",
        description: "Its messages stay without an author, its bots are revoked, its direct messages end.",
        caller: "admin",
        causes: [
          "FRIEND_UPDATE",
          "MEMBER_LEAVE",
          "SERVER_LEAVE",
          "COMMANDS_UPDATE",
          "DM_CHANNEL_LEAVE",
          "DM_CHANNEL_UPDATE",
          "VOICE_STATE_UPDATE",
          "GO_LIVE_STOP",
        ],
        params,
        success: noContent(),
        errors: {
          invalid_input: [errorTexts.own_account, errorTexts.account_owns_servers, errorTexts.last_admin],
          not_found: [errorTexts.user_not_found],
        },
      },
      ({ identity, params }) => users.delete(identity.userId, params.id),
    ),
  ];
}
