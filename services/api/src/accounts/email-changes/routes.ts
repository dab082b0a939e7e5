import { errorTexts, User } from "@parley/contracts";
import { z } from "zod";
import { asksFirst, opensOrAsks, pageAnswer, sendPage } from "../../platform/http/asking-page.js";
import { ok, type Route, route, type Success } from "../../platform/http/route.js";
import { mailLanguageOf } from "../../platform/mail/account-texts.js";
import { deviceOf } from "../auth/device.js";
import { isEmail, passwordBody } from "../auth/schema.js";
import { type EmailChanges, emailChangePath } from "./service.js";

const body = passwordBody.extend({
  email: z
    .string(errorTexts.email_invalid)
    .refine(isEmail, errorTexts.email_invalid)
    .nullable()
    .meta({ format: "email", example: "ann@example.com" }),
});
const waiting: Success = { status: 202, description: "The address waits to be confirmed", schema: User };
const params = z.object({ token: z.string() });
const linkErrors = { not_found: [errorTexts.email_link_invalid] };

export function emailChangeRoutes(emails: EmailChanges): Route[] {
  return [
    route(
      {
        method: "put",
        path: "/users/@me/email",
        name: "users.changeEmail",
        summary: "Give the caller's account another address, or none",
        description:
          "Where mail is configured, the address counts once the link in the mail to it is opened (24 hours), and the former " +
          "address gets a link that takes it back (7 days).",
        caller: "user",
        causes: ["USER_UPDATE"],
        attempts: { password: "counted" },
        body,
        success: ok(User),
        otherAnswers: [waiting],
        errors: {
          invalid_input: [
            errorTexts.email_invalid,
            errorTexts.login_password_length,
            errorTexts.wrong_password,
            errorTexts.email_provided,
          ],
          forbidden: [errorTexts.account_has_no_password],
          conflict: [errorTexts.email_taken],
          rate_limited: [errorTexts.rate_limited],
        },
      },
      async ({ identity, body, request, setStatus }) => {
        const { user, waits } = await emails.change(identity.userId, body, deviceOf(request));
        if (waits) setStatus(202);
        return user;
      },
    ),
    route(
      {
        method: "get",
        path: `${emailChangePath}/:token`,
        name: "users.emailPage",
        summary: "Open the page of a mail's link about another address",
        description: opensOrAsks,
        caller: "anyone",
        causes: ["USER_UPDATE"],
        attempts: { token: "unguessable" },
        params,
        success: pageAnswer("The page"),
        errors: { ...linkErrors, conflict: [errorTexts.email_taken] },
      },
      async ({ params, request, response }) => {
        const open = asksFirst(request) ? emails.ask : emails.use;
        return sendPage(response, await open(params.token, mailLanguageOf(request)));
      },
    ),
    route(
      {
        method: "post",
        path: `${emailChangePath}/:token`,
        name: "users.useEmailLink",
        summary: "Let another address count, or take the former one back, with the token of a mail",
        caller: "anyone",
        causes: ["USER_UPDATE"],
        attempts: { token: "unguessable" },
        params,
        success: pageAnswer("A page that says so"),
        errors: { ...linkErrors, conflict: [errorTexts.email_taken] },
      },
      async ({ params, request, response }) =>
        sendPage(response, await emails.use(params.token, mailLanguageOf(request))),
    ),
  ];
}
