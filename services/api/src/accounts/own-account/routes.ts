import { AuthResponse, errorTexts } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import { noContent, none, ok, type Route, route, type Success } from "../../platform/http/route.js";
import { deviceOf } from "../auth/device.js";
import { changePasswordBody, passwordBody } from "../auth/schema.js";
import { AccountExport, sendAccountExport } from "./export.js";
import type { OwnAccountService } from "./service.js";

const rate_limited = [errorTexts.rate_limited];

/** Written by the handler itself, as it is read. */
const exported: Success = ok(AccountExport);

export function ownAccountRoutes(accounts: OwnAccountService, database: Database): Route[] {
  return [
    route(
      {
        method: "post",
        path: "/auth/change-password",
        name: "auth.changePassword",
        summary: "Change the password of the caller's account",
        description: "Ends all sessions, this one included; the answer starts the one that goes on.",
        caller: "user",
        causes: none("the account's connections end"),
        attempts: { current_password: "counted", new_password: "chosen" },
        body: changePasswordBody,
        success: ok(AuthResponse),
        errors: {
          invalid_input: [errorTexts.current_password_length, errorTexts.password_length],
          forbidden: [errorTexts.wrong_password, errorTexts.account_has_no_password],
          rate_limited,
        },
      },
      ({ identity, body, request }) => accounts.changePassword(identity.userId, body, deviceOf(request)),
    ),
    route(
      {
        method: "delete",
        path: "/users/@me",
        name: "users.deleteMe",
        summary: "Delete the caller's account, which owns no server",
        description: "Its messages stay without an author, its bots are revoked, its direct messages end.",
        caller: "user",
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
        attempts: { password: "counted" },
        body: passwordBody,
        success: noContent(),
        errors: {
          invalid_input: [errorTexts.login_password_length, errorTexts.account_owns_servers, errorTexts.last_admin],
          forbidden: [errorTexts.wrong_password, errorTexts.account_has_no_password],
          rate_limited,
        },
      },
      ({ identity, body, request }) => accounts.delete(identity.userId, body.password, deviceOf(request)),
    ),
    route(
      {
        method: "get",
        path: "/users/@me/export",
        name: "users.exportMe",
        summary: "Export the data of the caller's account",
        caller: "user",
        success: exported,
      },
      ({ identity, response }) => sendAccountExport(database, identity.userId, response),
    ),
  ];
}
