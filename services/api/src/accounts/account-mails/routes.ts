import { errorTexts } from "@parley/contracts";
import { z } from "zod";
import { asksFirst, opensOrAsks, pageAnswer, sendPage } from "../../platform/http/asking-page.js";
import { none, ok, type Route, route } from "../../platform/http/route.js";
import { mailLanguageOf } from "../../platform/mail/account-texts.js";
import { deviceOf } from "../auth/device.js";
import type { RequireProof } from "../auth/require-proof.js";
import { requestResetBody, verifyEmailBody } from "../auth/schema.js";
import type { PasswordSignIn } from "../sign-in/password-sign-in.js";
import { type AccountMails, confirmationPath } from "./service.js";

const accepted = { status: 202, description: "Accepted", schema: z.object({ message: z.string() }) } as const;
const token = z.object({ token: z.string() });
const linkErrors = { not_found: [errorTexts.email_link_invalid] };
const not_configured = [errorTexts.email_not_configured];

export function accountMailRoutes(
  mails: AccountMails,
  { passwordSignIn, requireProof }: { passwordSignIn: PasswordSignIn; requireProof: RequireProof },
): Route[] {
  return [
    route(
      {
        method: "post",
        path: "/auth/request-password-reset",
        name: "auth.requestPasswordReset",
        summary: "Mail a token that sets the password",
        description: "The answer is the same whether or not the address has an account.",
        caller: "anyone",
        causes: none("it sends a mail"),
        body: requestResetBody,
        success: accepted,
        errors: {
          invalid_input: [errorTexts.email_invalid, errorTexts.challenge_unsolved],
          forbidden: [errorTexts.single_sign_on_only],
          not_configured,
        },
      },
      async ({ body, request }) => {
        passwordSignIn.require();
        await requireProof(body.altcha, deviceOf(request).address);
        mails.requestReset(body.email, mailLanguageOf(request));
        return { message: "If the address has an account, a token was mailed to it" };
      },
    ),
    route(
      {
        method: "get",
        path: "/auth/email",
        name: "auth.email",
        summary: "The address of the caller's account, and whether it was verified",
        caller: "user",
        success: ok(z.object({ email: z.string().nullable(), verified: z.boolean() })),
      },
      ({ identity }) => mails.state(identity.userId),
    ),
    route(
      {
        method: "post",
        path: "/auth/request-email-verification",
        name: "auth.requestEmailVerification",
        summary: "Mail a token that verifies the address of the caller's account",
        caller: "user",
        causes: none("it sends a mail"),
        success: accepted,
        errors: { invalid_input: [errorTexts.email_missing, errorTexts.email_verified], not_configured },
      },
      async ({ identity, request }) => {
        await mails.requestVerification(identity.userId, mailLanguageOf(request));
        return { message: "A token was mailed to your address" };
      },
    ),
    route(
      {
        method: "post",
        path: "/auth/verify-email",
        name: "auth.verifyEmail",
        summary: "Verify an address with the token that was mailed to it",
        caller: "anyone",
        causes: none("no list shows whether an address is verified"),
        attempts: { token: "unguessable" },
        body: verifyEmailBody,
        success: ok(z.object({ message: z.string() })),
        errors: {
          invalid_input: [errorTexts.reset_token_length],
          unauthenticated: [errorTexts.verification_token_invalid],
        },
      },
      async ({ body }) => {
        await mails.verify(body.token);
        return { message: "The address was verified" };
      },
    ),
    route(
      {
        method: "get",
        path: `${confirmationPath}/:token`,
        name: "auth.confirmationPage",
        summary: "Open the page of a mail's link that confirms the address of a new account",
        description: opensOrAsks,
        caller: "anyone",
        attempts: { token: "unguessable" },
        params: token,
        success: pageAnswer("The page"),
        errors: linkErrors,
      },
      async ({ params, request, response }) => {
        const open = asksFirst(request) ? mails.askConfirmation : mails.confirm;
        return sendPage(response, await open(params.token, mailLanguageOf(request)));
      },
    ),
    route(
      {
        method: "post",
        path: `${confirmationPath}/:token`,
        name: "auth.confirmAddress",
        summary: "Confirm the address of a new account with the token of a mail",
        caller: "anyone",
        causes: none("no list shows whether an address is verified"),
        attempts: { token: "unguessable" },
        params: token,
        success: pageAnswer("A page that says so"),
        errors: linkErrors,
      },
      async ({ params, request, response }) =>
        sendPage(response, await mails.confirm(params.token, mailLanguageOf(request))),
    ),
  ];
}
