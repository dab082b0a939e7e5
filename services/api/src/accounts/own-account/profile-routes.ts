import { errorTexts, User } from "@parley/contracts";
import { updateUserBody } from "../../people/users/schema.js";
import type { UserService } from "../../people/users/service.js";
import { nonNull } from "../../platform/http/input.js";
import { ok, type Route, route } from "../../platform/http/route.js";
import { deviceOf } from "../auth/device.js";
import { newUsername, passwordBody } from "../auth/schema.js";
import type { ChangeUsername } from "../usernames/service.js";

const body = updateUserBody.extend({
  username: nonNull(newUsername),
  password: nonNull(passwordBody.shape.password).meta({ description: "Needed for another username" }),
});

export function profileRoutes(users: UserService, changeUsername: ChangeUsername): Route[] {
  return [
    route(
      {
        method: "patch",
        path: "/users/@me",
        name: "users.updateMe",
        summary: "Update the caller's names, profile and presence, and who may write to them",
        caller: "account",
        causes: ["USER_UPDATE", "MEMBER_UPDATE", "PRESENCE_UPDATE"],
        attempts: { password: "counted" },
        body,
        success: ok(User),
        errors: {
          invalid_input: [
            errorTexts.username_invalid,
            errorTexts.username_listed,
            errorTexts.login_password_length,
            errorTexts.wrong_password,
            errorTexts.display_name_length,
            errorTexts.status_invalid,
            errorTexts.status_expires_at_invalid,
            errorTexts.avatar_url_scheme,
            errorTexts.avatar_url_length,
            errorTexts.bio_length,
            errorTexts.pronouns_length,
            errorTexts.custom_status_length,
            errorTexts.activity_length,
            errorTexts.dms_from_invalid,
          ],
          forbidden: [errorTexts.account_has_no_password],
          conflict: [errorTexts.username_taken],
          rate_limited: [errorTexts.rate_limited, errorTexts.username_changes],
        },
      },
      async ({ identity: { userId }, body: { username, password = "", ...profile }, request }) => {
        if (username !== undefined) await changeUsername(userId, { username, password }, deviceOf(request));
        return users.update(userId, profile);
      },
    ),
  ];
}
