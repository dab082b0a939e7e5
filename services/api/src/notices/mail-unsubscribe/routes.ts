import { errorTexts } from "@parley/contracts";
import { z } from "zod";
import { pageAnswer, sendPage } from "../../platform/http/asking-page.js";
import { type Route, route } from "../../platform/http/route.js";
import { unsubscribePath } from "../notification-mails/unsubscribe-tokens.js";
import type { MailUnsubscribe } from "./service.js";

const path = `${unsubscribePath}/:token`;
const params = z.object({ token: z.string() });
const errors = { not_found: [errorTexts.unsubscribe_link_invalid] };
export function mailUnsubscribeRoutes(unsubscribe: MailUnsubscribe): Route[] {
  return [
    route(
      {
        method: "get",
        path,
        name: "notifications.unsubscribePage",
        summary: "Open the page of a mail's link that ends such mails",
        description: "It asks, and changes nothing: programs that check mails open their links.",
        caller: "anyone",
        attempts: { token: "unguessable" },
        params,
        success: pageAnswer("The page, in the language of the mails"),
        errors,
      },
      async ({ params, response }) => sendPage(response, await unsubscribe.ask(params.token)),
    ),
    route(
      {
        method: "post",
        path,
        name: "notifications.unsubscribe",
        summary: "End the mails about missed messages with the token of such a mail",
        description:
          "With one click, as RFC 8058 has it: mail programs send `List-Unsubscribe=One-Click`, which is not read.",
        caller: "anyone",
        causes: ["NOTIFICATIONS_UPDATE"],
        attempts: { token: "unguessable" },
        params,
        success: pageAnswer("A page that says so; the same when they were off"),
        errors,
      },
      async ({ params, response }) => sendPage(response, await unsubscribe.end(params.token)),
    ),
  ];
}
