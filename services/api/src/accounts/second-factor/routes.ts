import { errorTexts, forbidden } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import { z } from "zod";
import { created, noContent, none, ok, type Route, route } from "../../platform/http/route.js";
import type { TellOwner } from "../account-changes/tell-owner.js";
import { deviceOf } from "../auth/device.js";
import type { RequirePassword } from "../auth/require-password.js";
import { confirmSecondFactorBody, passwordBody, removeSecondFactorBody } from "../auth/schema.js";
import { deleteSecondFactor } from "./repository.js";
import type { SecondFactor } from "./service.js";

const path = "/auth/second-factor";
const rate_limited = [errorTexts.rate_limited];

export function secondFactorRoutes(parts: {
  database: Database;
  secondFactor: SecondFactor;
  requirePassword: RequirePassword;
  tellOwner: TellOwner;
}): Route[] {
  const { database, secondFactor, requirePassword, tellOwner } = parts;
  return [
    route(
      {
        method: "get",
        path,
        name: "auth.secondFactor",
        summary: "Whether the caller's account has a second factor",
        caller: "user",
        setsUpFactor: true,
        success: ok(z.object({ active: z.boolean(), recovery_codes_left: z.int() })),
      },
      ({ identity }) => secondFactor.state(identity.userId),
    ),
    route(
      {
        method: "post",
        path,
        name: "auth.beginSecondFactor",
        summary: "Make the secret of a second factor (TOTP), which is active once it is confirmed",
        caller: "user",
        setsUpFactor: true,
        causes: none("only how the account signs in changes"),
        attempts: { password: "counted" },
        body: passwordBody,
        success: created(z.object({ secret: z.string(), otpauth_url: z.string() })),
        errors: {
          invalid_input: [errorTexts.login_password_length, errorTexts.second_factor_active],
          forbidden: [errorTexts.wrong_password, errorTexts.account_has_no_password],
          rate_limited,
        },
      },
      async ({ identity, body, request }) => {
        const { username } = await requirePassword(identity.userId, body.password, deviceOf(request));
        return secondFactor.begin(identity.userId, username);
      },
    ),
    route(
      {
        method: "post",
        path: `${path}/confirm`,
        name: "auth.confirmSecondFactor",
        summary: "Activate the second factor with a code of it",
        description: "Answers with recovery codes, each of which stands in for a code once. They are not shown again.",
        caller: "user",
        setsUpFactor: true,
        causes: none("only how the account signs in changes"),
        attempts: { code: "counted" },
        body: confirmSecondFactorBody,
        success: ok(z.object({ recovery_codes: z.array(z.string()) })),
        errors: {
          invalid_input: [
            errorTexts.code_length,
            errorTexts.second_factor_invalid,
            errorTexts.second_factor_active,
            errorTexts.second_factor_not_begun,
          ],
          rate_limited,
        },
      },
      async ({ identity, body, request }) => {
        const device = deviceOf(request);
        const recovery_codes = await secondFactor.confirm(identity.userId, body.code, device);
        tellOwner(identity.userId, "second_factor_on", device);
        return { recovery_codes };
      },
    ),
    route(
      {
        method: "delete",
        path,
        name: "auth.removeSecondFactor",
        summary: "Remove the second factor",
        caller: "user",
        causes: none("only how the account signs in changes"),
        attempts: { password: "counted", code: "counted" },
        body: removeSecondFactorBody,
        success: noContent(),
        errors: {
          invalid_input: [errorTexts.login_password_length, errorTexts.code_length],
          forbidden: [errorTexts.wrong_password, errorTexts.account_has_no_password, errorTexts.second_factor_invalid],
          rate_limited,
        },
      },
      async ({ identity, body, request }) => {
        const device = deviceOf(request);
        await requirePassword(identity.userId, body.password, device);
        const result = await secondFactor.check(identity.userId, body.code, device);
        if (result === "wrong") throw forbidden(errorTexts.second_factor_invalid);
        const isRemoved = await deleteSecondFactor(database, identity.userId, result !== "none");
        if (!isRemoved) throw forbidden(errorTexts.second_factor_invalid);
        if (result !== "none") tellOwner(identity.userId, "second_factor_off", device);
      },
    ),
  ];
}
