import { AuthResponse } from "@parley/contracts";
import { created, ok, type Route, route } from "../http/route.js";
import { failedLoginsMax, failedLoginsPerAddressMax, knownAddressDays } from "./limits.js";
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
        body: registerBody,
        success: created(AuthResponse),
        errors: {
          invalid_input: [
            "Username must be 2-32 characters: letters, digits and underscores",
            "Password must be 8-128 characters",
            "Invalid email address",
          ],
          conflict: ["Username already taken", "Email already registered"],
        },
      },
      ({ body }) => auth.register(body),
    ),
    route(
      {
        method: "post",
        path: "/auth/login",
        tag: "auth",
        summary: "Log in",
        description:
          `An account accepts ${failedLoginsPerAddressMax} failed logins from one address within 15 minutes and ` +
          `${failedLoginsMax} from all addresses together; then 429 tells when to try again. Addresses that it logged in ` +
          `from within ${knownAddressDays} days are not refused.`,
        caller: "anyone",
        body: loginBody,
        success: ok(AuthResponse),
        errors: {
          invalid_input: ["username must be 1-128 characters", "password must be 1-128 characters"],
          unauthenticated: ["Invalid username or password"],
        },
      },
      // A socket that is already closed has no address.
      ({ body, request }) => auth.login(body, request.ip ?? "unknown"),
    ),
    route(
      {
        method: "post",
        path: "/auth/refresh",
        tag: "auth",
        summary: "Exchange a refresh token for a new pair",
        description: "A used token yields the same successor for 60 more seconds.",
        caller: "anyone",
        body: refreshBody,
        success: ok(AuthResponse),
        errors: {
          invalid_input: ["refresh_token must be 1-2048 characters"],
          unauthenticated: ["Invalid or expired refresh token"],
        },
      },
      ({ body }) => auth.refresh(body.refresh_token),
    ),
  ];
}
