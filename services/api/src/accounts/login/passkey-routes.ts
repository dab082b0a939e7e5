import { AuthResponse, errorTexts } from "@parley/contracts";
import { none, ok, type Route, route } from "../../platform/http/route.js";
import { deviceOf } from "../auth/device.js";
import { authenticateBody, PasskeyRequestOptions, secondFactorOptionsBody } from "../passkeys/schema.js";
import type { PasskeySignIn } from "../passkeys/sign-in.js";
import type { AuthService } from "./service.js";

const path = "/auth/passkeys";
const causes = none("nothing but a challenge is kept");
const not_configured = [errorTexts.passkeys_not_configured];

export function passkeySignInRoutes(auth: AuthService, passkeys: PasskeySignIn): Route[] {
  return [
    route(
      {
        method: "post",
        path: `${path}/authentication/options`,
        name: "auth.beginPasskeyLogin",
        summary: "Get what a passkey answers to log in",
        description: "The challenge is answered once, within five minutes. It tells nothing of accounts.",
        caller: "anyone",
        isEntrance: true,
        causes,
        success: ok(PasskeyRequestOptions),
        errors: { not_configured },
      },
      () => passkeys.begin(),
    ),
    route(
      {
        method: "post",
        path: `${path}/authentication`,
        name: "auth.loginWithPasskey",
        summary: "Log in with a passkey",
        description: "The authenticator has verified its owner, so that neither a password nor a code is asked for.",
        caller: "anyone",
        isEntrance: true,
        causes: none("it begins a session"),
        attempts: { response: "unguessable" },
        body: authenticateBody,
        success: ok(AuthResponse),
        errors: {
          invalid_input: [errorTexts.passkey_unreadable],
          unauthenticated: [errorTexts.passkey_invalid],
          forbidden: [errorTexts.account_disabled],
          not_configured,
        },
      },
      ({ body, request }) => auth.loginWithPasskey(body.response, deviceOf(request)),
    ),
    route(
      {
        method: "post",
        path: `${path}/second-factor/options`,
        name: "auth.beginPasskeyFactor",
        summary: "Get what a passkey answers in place of a code",
        description: "For `passkey` of `POST /auth/login`. Name and password count as those of a login do.",
        caller: "anyone",
        isEntrance: true,
        causes,
        attempts: { password: "counted" },
        body: secondFactorOptionsBody,
        success: ok(PasskeyRequestOptions),
        errors: {
          invalid_input: [
            errorTexts.login_username_length,
            errorTexts.login_password_length,
            errorTexts.passkeys_missing,
          ],
          unauthenticated: [errorTexts.wrong_credentials],
          not_configured,
        },
      },
      ({ body, request }) => auth.secondFactorOptions(body, deviceOf(request)),
    ),
  ];
}
