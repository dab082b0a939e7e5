import { AuthResponse } from "@parley/contracts";
import { created, ok, type Route, route } from "../../http/route.js";
import { deviceOf } from "./device.js";
import { authErrors } from "./error-texts.js";
import {
  failedLoginsMax,
  failedLoginsPerAddressMax,
  failedLoginsPerKnownAddressMax,
  knownAddressDays,
} from "./limits.js";
import { loginBody, refreshBody, registerBody } from "./schema.js";
import type { AuthService } from "./service.js";

export function authRoutes(auth: AuthService): Route[] {
  return [
    route(
      {
        method: "post",
        path: "/auth/register",
        tag: "auth",
        summary: "Register an account",
        caller: "anyone",
        attempts: { password: "chosen", invite_code: "unguessable" },
        body: registerBody,
        success: created(AuthResponse),
        errors: {
          invalid_input: [authErrors.username, authErrors.password, authErrors.email, authErrors.inviteCode],
          forbidden: [authErrors.registrationClosed],
          conflict: [authErrors.usernameTaken, authErrors.emailTaken],
        },
      },
      ({ body, request }) => auth.register(body, deviceOf(request)),
    ),
    route(
      {
        method: "post",
        path: "/auth/login",
        tag: "auth",
        summary: "Log in",
        description:
          `An account accepts ${failedLoginsPerAddressMax} failed logins from one address within 15 minutes and ` +
          `${failedLoginsMax} from all addresses together; then 429 tells when to try again. An address that it logged ` +
          `in from within ${knownAddressDays} days has ${failedLoginsPerKnownAddressMax} a day of its own instead.`,
        caller: "anyone",
        attempts: { password: "counted", code: "counted" },
        body: loginBody,
        success: ok(AuthResponse),
        errors: {
          invalid_input: [authErrors.loginUsername, authErrors.loginPassword, authErrors.code],
          unauthenticated: [
            authErrors.wrongCredentials,
            authErrors.secondFactorRequired,
            authErrors.secondFactorInvalid,
          ],
          forbidden: [authErrors.disabled],
        },
      },
      ({ body, request }) => auth.login(body, deviceOf(request)),
    ),
    route(
      {
        method: "post",
        path: "/auth/refresh",
        tag: "auth",
        summary: "Exchange a refresh token for a new pair",
        description: "A used token yields the same successor for 60 more seconds.",
        caller: "anyone",
        attempts: { refresh_token: "unguessable" },
        body: refreshBody,
        success: ok(AuthResponse),
        errors: {
          invalid_input: [authErrors.refreshTokenLength],
          unauthenticated: [authErrors.refreshTokenInvalid],
          forbidden: [authErrors.disabled],
        },
      },
      ({ body }) => auth.refresh(body.refresh_token),
    ),
  ];
}
