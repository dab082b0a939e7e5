import { caps, errorTexts } from "@parley/contracts";
import { z } from "zod";
import { capText } from "../../access/caps.js";
import { identifier } from "../../platform/http/input.js";
import { created, noContent, none, ok, type Route, route } from "../../platform/http/route.js";
import { deviceOf } from "../auth/device.js";
import { ownerBody, passwordBody } from "../auth/schema.js";
import { Passkey, PasskeyCreationOptions, registerPasskeyBody, renamePasskeyBody } from "./schema.js";
import type { PasskeyService } from "./service.js";

const path = "/auth/passkeys";
const causes = none("only how the account signs in changes");
const params = z.object({ id: identifier });
const rate_limited = [errorTexts.rate_limited];
const not_found = [errorTexts.passkey_not_found];
const not_configured = [errorTexts.passkeys_not_configured];

export function passkeyRoutes(passkeys: PasskeyService): Route[] {
  return [
    route(
      {
        method: "get",
        path,
        name: "auth.passkeys",
        summary: "List the passkeys of the caller's account, oldest first",
        caller: "user",
        setsUpFactor: true,
        success: ok(z.array(Passkey)),
      },
      ({ identity }) => passkeys.list(identity.userId),
    ),
    route(
      {
        method: "post",
        path: `${path}/registration/options`,
        name: "auth.beginPasskey",
        summary: "Get what an authenticator makes a passkey with",
        description:
          "The challenge is answered once, within five minutes. `code` is needed while a second factor is active.",
        caller: "user",
        setsUpFactor: true,
        causes,
        attempts: { password: "counted", code: "counted" },
        body: ownerBody,
        success: ok(PasskeyCreationOptions),
        errors: {
          invalid_input: [errorTexts.login_password_length, errorTexts.code_length, capText(caps.passkeys)],
          forbidden: [errorTexts.wrong_password, errorTexts.second_factor_required, errorTexts.second_factor_invalid],
          rate_limited,
          not_configured,
        },
      },
      ({ identity, body, request }) => passkeys.beginRegistration(identity.userId, body, deviceOf(request)),
    ),
    route(
      {
        method: "post",
        path: `${path}/registration`,
        name: "auth.addPasskey",
        summary: "Add the passkey that an authenticator has made",
        caller: "user",
        setsUpFactor: true,
        causes,
        attempts: { response: "unguessable" },
        body: registerPasskeyBody,
        success: created(Passkey),
        errors: {
          invalid_input: [
            errorTexts.passkey_name_length,
            errorTexts.passkey_unreadable,
            errorTexts.passkey_invalid,
            capText(caps.passkeys),
          ],
          conflict: [errorTexts.passkey_registered],
          rate_limited,
          not_configured,
        },
      },
      ({ identity, body, request }) => passkeys.register(identity.userId, body, deviceOf(request)),
    ),
    route(
      {
        method: "patch",
        path: `${path}/:id`,
        name: "auth.renamePasskey",
        summary: "Rename a passkey of the caller's account",
        caller: "user",
        causes,
        params,
        body: renamePasskeyBody,
        success: ok(Passkey),
        errors: { invalid_input: [errorTexts.passkey_name_length], not_found },
      },
      ({ identity, params: { id }, body }) => passkeys.rename(identity.userId, id, body.name ?? undefined),
    ),
    route(
      {
        method: "delete",
        path: `${path}/:id`,
        name: "auth.removePasskey",
        summary: "Remove a passkey of the caller's account",
        caller: "user",
        causes,
        attempts: { password: "counted" },
        params,
        body: passwordBody,
        success: noContent(),
        errors: {
          invalid_input: [errorTexts.login_password_length],
          forbidden: [errorTexts.wrong_password],
          not_found,
          rate_limited,
        },
      },
      ({ identity, params: { id }, body, request }) =>
        passkeys.remove(identity.userId, { id, password: body.password }, deviceOf(request)),
    ),
  ];
}
