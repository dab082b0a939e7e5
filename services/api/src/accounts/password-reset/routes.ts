import { errorTexts } from "@parley/contracts";
import { z } from "zod";
import { none, ok, type Route, route } from "../../platform/http/route.js";
import { deviceOf } from "../auth/device.js";
import { passwordResetTtlSeconds } from "../auth/limits.js";
import { forgotPasswordBody, resetPasswordBody } from "../auth/schema.js";
import type { PasswordSignIn } from "../sign-in/password-sign-in.js";
import type { PasswordReset } from "./service.js";

const Issued = z.object({
  message: z.string(),
  token: z.string(),
  expires_in_seconds: z.int(),
  note: z.string(),
});

const forbidden = [errorTexts.single_sign_on_only];

export function passwordResetRoutes(passwords: PasswordReset, passwordSignIn: PasswordSignIn): Route[] {
  return [
    route(
      {
        method: "post",
        path: "/auth/forgot-password",
        name: "auth.forgotPassword",
        summary: "Make a token that sets the password of an account, for an administrator to hand over",
        caller: "admin",
        causes: none("it sends a mail"),
        body: forgotPasswordBody,
        success: ok(Issued),
        errors: { invalid_input: [errorTexts.email_invalid], forbidden, not_found: [errorTexts.user_not_found] },
      },
      async ({ identity, body }) => {
        passwordSignIn.require();
        return {
          message: "Password reset token generated",
          token: await passwords.issueByAdmin(identity.userId, body.email),
          expires_in_seconds: passwordResetTtlSeconds,
          note: "Hand the token to the account's owner; it sets a new password once.",
        };
      },
    ),
    route(
      {
        method: "post",
        path: "/auth/reset-password",
        name: "auth.resetPassword",
        summary: "Set a password with a token",
        description:
          "Ends every other way into the account: sessions, passkeys, the second factor, a connection with the sign-in " +
          "provider that somebody made, and the tokens of its bots. A password that is refused leaves the token usable.",
        caller: "anyone",
        causes: none("the connections of the account and of its bots end"),
        attempts: { token: "unguessable", new_password: "chosen" },
        body: resetPasswordBody,
        success: ok(z.object({ message: z.string() })),
        errors: {
          invalid_input: [errorTexts.reset_token_length, errorTexts.password_length],
          unauthenticated: [errorTexts.reset_token_invalid],
          forbidden,
        },
      },
      async ({ body, request }) => {
        passwordSignIn.require();
        await passwords.reset(body.token, body.new_password, deviceOf(request));
        return { message: "Password has been reset" };
      },
    ),
  ];
}
