import { AuthResponse, errorTexts, invalidInput, ServiceError } from "@parley/contracts";
import type { Response } from "express";
import { z } from "zod";
import { isFormEncoded, readForm } from "../../platform/http/form-body.js";
import { bytesReader } from "../../platform/http/json-body.js";
import { noContent, none, ok, type Route, route } from "../../platform/http/route.js";
import { deviceOf } from "../auth/device.js";
import { ownerBody, passwordBody } from "../auth/schema.js";
import type { PasswordSignIn } from "../sign-in/password-sign-in.js";
import type { Attempts } from "./attempts.js";
import { logoutBodyBytesMax } from "./limits.js";
import type { Links } from "./links.js";
import type { BackChannelLogout } from "./logout.js";
import { Address, Connection, codeBody, logoutBody, startQuery } from "./schema.js";
import type { OidcService } from "./service.js";

/** The services behind the routes; null where single sign-on is not configured. */
export interface OidcSurface {
  service: OidcService;
  links: Links;
  logout: BackChannelLogout;
  attempts: Attempts;
}

const not_configured = [errorTexts.single_sign_on_not_configured];
const unavailable = [errorTexts.sign_in_provider_unavailable];
const logoutReader = bytesReader(logoutBodyBytesMax);
const moved = (description: string) => ({ status: 302, description }) as const;

export function oidcRoutes(surface: OidcSurface | null, passwordSignIn: PasswordSignIn): Route[] {
  const require = (): OidcSurface => {
    if (surface === null) throw new ServiceError("not_configured", errorTexts.single_sign_on_not_configured);
    return surface;
  };
  return [
    route(
      {
        method: "get",
        path: "/auth/oidc/start",
        name: "auth.startSingleSignOn",
        summary: "Begin a sign-in at the provider",
        description: "With `format=json` the address is in the body of a 200, for pages that go there themselves.",
        caller: "anyone",
        isEntrance: true,
        query: startQuery,
        success: moved("To the provider, with an attempt in a cookie"),
        otherAnswers: [ok(Address, "The address of the provider")],
        errors: { unavailable, not_configured },
      },
      async ({ query, response }) => {
        const url = await require().service.start(response, query.to);
        if (query.format === "json") noStore(response).json({ url });
        else noStore(response).redirect(302, url);
      },
    ),
    route(
      {
        method: "get",
        path: "/auth/oidc/callback",
        name: "auth.finishSingleSignOn",
        summary: "Where the provider sends the browser back to",
        description:
          "The page has `#sign-in=` with a code for POST /auth/oidc/session, or `#sign-in-refused=` with a reason.",
        caller: "anyone",
        attempts: { code: "unguessable" },
        query: z.object({
          state: z.unknown().optional().meta({ type: "string" }),
          code: z.unknown().optional().meta({ type: "string" }),
        }),
        success: moved("To the page of the application that goes on"),
        errors: { not_configured },
      },
      async ({ request, response }) => noStore(response).redirect(302, await require().service.callback(request)),
    ),
    route(
      {
        method: "post",
        path: "/auth/oidc/session",
        name: "auth.signInWithCode",
        summary: "Exchange the code of a sign-in at the provider for a session",
        description:
          "With the cookie of the browser that began it, once, within a minute. A first sign-in makes an account.",
        caller: "anyone",
        isEntrance: true,
        causes: ["USER_UPDATE"],
        attempts: { code: "unguessable" },
        body: codeBody,
        success: ok(AuthResponse),
        errors: {
          invalid_input: [errorTexts.sign_in_code_length],
          unauthenticated: [errorTexts.sign_in_code_invalid],
          forbidden: [
            errorTexts.account_disabled,
            errorTexts.sign_in_domain_refused,
            errorTexts.sign_in_account_missing,
          ],
          not_configured,
        },
      },
      async ({ body, request, response }) => {
        const { service, attempts } = require();
        const answer = await service.session(body.code, request, deviceOf(request));
        attempts.end(noStore(response));
        return answer;
      },
    ),
    route(
      {
        method: "post",
        path: "/auth/oidc/back-channel-logout",
        name: "auth.backChannelLogout",
        summary: "End the sessions that a logout at the provider is about",
        description: "OpenID Connect Back-Channel Logout 1.0; sent by the provider.",
        caller: "anyone",
        causes: none("the sessions' connections end"),
        unlimited: true,
        attempts: { logout_token: "unguessable" },
        body: logoutBody,
        bodyContentType: "application/x-www-form-urlencoded",
        bodyBytes: { "application/x-www-form-urlencoded": logoutBodyBytesMax },
        success: { status: 200, description: "Ended" },
        errors: {
          invalid_input: [errorTexts.logout_token_invalid, errorTexts.body_too_large(logoutBodyBytesMax / 1024)],
          rate_limited: [errorTexts.rate_limited],
          unavailable,
          not_configured,
        },
      },
      async ({ request, response }) => {
        const { logout } = require();
        noStore(response);
        await logout(deviceOf(request).address, async () => {
          if (!isFormEncoded(request)) throw invalidInput(errorTexts.logout_token_invalid);
          const form = await readForm(logoutReader, request, response);
          const tokens = form.flatMap(([name, value]) => (name === "logout_token" ? [value] : []));
          const [token = ""] = tokens;
          if (tokens.length !== 1) throw invalidInput(errorTexts.logout_token_invalid);
          return token;
        });
      },
    ),
    route(
      {
        method: "get",
        path: "/auth/oidc/link",
        name: "auth.singleSignOnLink",
        summary: "Whether the caller's account is connected with one of the sign-in provider",
        caller: "user",
        success: ok(Connection),
        errors: { not_configured },
      },
      ({ identity }) => require().links.state(identity.userId),
    ),
    route(
      {
        method: "post",
        path: "/auth/oidc/link",
        name: "auth.startSingleSignOnLink",
        summary: "Begin to connect the caller's account with one of the sign-in provider",
        description: "`code` is needed while a second factor is active.",
        caller: "user",
        causes: none("only how the account signs in changes"),
        attempts: { password: "counted", code: "counted" },
        body: ownerBody,
        success: ok(Address),
        errors: {
          invalid_input: [errorTexts.login_password_length, errorTexts.code_length],
          forbidden: [
            errorTexts.wrong_password,
            errorTexts.account_has_no_password,
            errorTexts.second_factor_required,
            errorTexts.second_factor_invalid,
          ],
          rate_limited: [errorTexts.rate_limited],
          unavailable,
          not_configured,
        },
      },
      async ({ identity, body, request, response }) => {
        const of = { credentials: body, device: deviceOf(request) };
        return { url: await require().service.startLink(noStore(response), identity.userId, of) };
      },
    ),
    route(
      {
        method: "post",
        path: "/auth/oidc/link/confirm",
        name: "auth.confirmSingleSignOnLink",
        summary: "Connect the caller's account with the code of an attempt of its own",
        caller: "user",
        causes: none("only how the account signs in changes"),
        attempts: { code: "unguessable" },
        body: codeBody,
        success: noContent(),
        errors: {
          invalid_input: [errorTexts.sign_in_code_length],
          forbidden: [errorTexts.sign_in_code_invalid],
          conflict: [errorTexts.sign_in_identity_taken, errorTexts.sign_in_already_connected],
          not_configured,
        },
      },
      async ({ identity, body, request, response }) => {
        const { links, attempts } = require();
        await links.connect(identity.userId, body.code, request);
        attempts.end(noStore(response));
      },
    ),
    route(
      {
        method: "delete",
        path: "/auth/oidc/link",
        name: "auth.removeSingleSignOnLink",
        summary: "Disconnect the caller's account, which has a password, from that of the sign-in provider",
        description: "The sessions that began at the provider end.",
        caller: "user",
        causes: none("the connections of these sessions end"),
        attempts: { password: "counted" },
        body: passwordBody,
        success: noContent(),
        errors: {
          invalid_input: [errorTexts.login_password_length],
          forbidden: [errorTexts.wrong_password, errorTexts.account_has_no_password, errorTexts.single_sign_on_only],
          not_found: [errorTexts.sign_in_not_connected],
          rate_limited: [errorTexts.rate_limited],
          not_configured,
        },
      },
      ({ identity, body, request }) => {
        const { links } = require();
        passwordSignIn.require();
        return links.disconnect(identity.userId, body.password, deviceOf(request));
      },
    ),
  ];
}

function noStore(response: Response): Response {
  response.setHeader("Cache-Control", "no-store");
  return response;
}
