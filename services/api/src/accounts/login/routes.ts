import { AuthResponse, errorTexts } from "@parley/contracts";
import { none, ok, type Route, route } from "../../platform/http/route.js";
import { deviceOf } from "../auth/device.js";
import {
  failedLoginsMax,
  failedLoginsPerAddressMax,
  failedLoginsPerKnownAddressMax,
  knownAddressDays,
} from "../auth/limits.js";
import { loginBody, refreshBody } from "../auth/schema.js";
import type { PasswordSignIn } from "../sign-in/password-sign-in.js";
import type { AuthService } from "./service.js";

export function authRoutes(auth: AuthService, passwordSignIn: PasswordSignIn): Route[] {
  return [
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
        isEntrance: true,
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
          forbidden: [
            errorTexts.account_disabled,
            errorTexts.email_unconfirmed,
            errorTexts.registration_pending,
            errorTexts.registration_declined,
            errorTexts.single_sign_on_only,
          ],
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
        isEntrance: true,
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
