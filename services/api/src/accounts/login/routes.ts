import { AuthResponse, errorTexts } from "@parley/contracts";
import { created, none, ok, type Route, route } from "../../platform/http/route.js";
import { deviceOf } from "../auth/device.js";
import {
  failedLoginsMax,
  failedLoginsPerAddressMax,
  failedLoginsPerKnownAddressMax,
  knownAddressDays,
} from "../auth/limits.js";
import { loginBody, refreshBody, registerBody } from "../auth/schema.js";
import type { PasswordSignIn } from "../sign-in/password-sign-in.js";
import type { AuthService } from "./service.js";

export function authRoutes(auth: AuthService, passwordSignIn: PasswordSignIn): Route[] {
  return [
    route(
      {
        method: "post",
        path: "/auth/register",
        name: "auth.register",
        summary: "Register an account",
        caller: "anyone",
        causes: none("nobody is connected as the new account"),
        attempts: { password: "chosen", invite_code: "unguessable" },
        body: registerBody,
        success: created(AuthResponse),
        errors: {
          invalid_input: [
            errorTexts.username_invalid,
            errorTexts.password_length,
            errorTexts.email_invalid,
            errorTexts.invite_code_required,
          ],
          forbidden: [errorTexts.registration_closed, errorTexts.single_sign_on_only],
          conflict: [errorTexts.username_taken, errorTexts.email_taken],
        },
      },
      async ({ body, request }) => {
        passwordSignIn.require();
        return auth.register(body, deviceOf(request));
      },
    ),
    route(
      {
        method: "post",
        path: "/auth/login",
        name: "auth.login",
        summary: "Log in",
        description:
          `An account accepts ${failedLoginsPerAddressMax} failed logins from one address within 15 minutes and ` +
          `${failedLoginsMax} from all addresses together; then 429 tells when to try again. An address that it logged ` +
          `in from within ${knownAddressDays} days has ${failedLoginsPerKnownAddressMax} a day of its own instead.`,
        caller: "anyone",
        causes: none("it begins a session"),
        attempts: { password: "counted", code: "counted", passkey: "unguessable" },
        body: loginBody,
        success: ok(AuthResponse),
        errors: {
          invalid_input: [
            errorTexts.login_username_length,
            errorTexts.login_password_length,
            errorTexts.code_length,
            errorTexts.passkey_unreadable,
          ],
          unauthenticated: [
            errorTexts.wrong_credentials,
            errorTexts.second_factor_required,
            errorTexts.second_factor_invalid,
            errorTexts.passkey_invalid,
          ],
          forbidden: [errorTexts.account_disabled, errorTexts.single_sign_on_only],
          not_configured: [errorTexts.passkeys_not_configured],
        },
      },
      async ({ body, request }) => {
        passwordSignIn.require();
        return auth.login(body, deviceOf(request));
      },
    ),
    route(
      {
        method: "post",
        path: "/auth/refresh",
        name: "auth.refresh",
        summary: "Exchange a refresh token for a new pair",
        description: "A used token yields the same successor for 60 more seconds.",
        caller: "anyone",
        causes: none("it continues a session"),
        attempts: { refresh_token: "unguessable" },
        body: refreshBody,
        success: ok(AuthResponse),
        errors: {
          invalid_input: [errorTexts.refresh_token_length],
          unauthenticated: [errorTexts.refresh_token_invalid],
          forbidden: [errorTexts.account_disabled],
        },
      },
      ({ body }) => auth.refresh(body.refresh_token),
    ),
  ];
}
