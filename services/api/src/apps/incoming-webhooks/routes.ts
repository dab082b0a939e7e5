import {
  errorTexts,
  IncomingWebhook,
  IncomingWebhookWithToken,
  incomingWebhooksPerChannelMax,
} from "@parley/contracts";
import { z } from "zod";
import { ofServer } from "../../access/may.js";
import { identifier } from "../../platform/http/input.js";
import { created, noContent, ok, type Route, route } from "../../platform/http/route.js";
import { manageWebhooks } from "../webhooks/access.js";
import { createIncomingWebhookBody, updateIncomingWebhookBody } from "./schema.js";
import { type IncomingWebhookService, namedIncomingWebhook, toIncomingWebhook } from "./service.js";

const base = "/servers/:server_id/incoming-webhooks";
const one = `${base}/:webhook_id`;
const serverParams = z.object({ server_id: identifier });
const params = serverParams.extend({ webhook_id: identifier });
const inputErrors = [
  errorTexts.incoming_webhook_name_length,
  errorTexts.channel_id_invalid,
  errorTexts.avatar_url_length,
  errorTexts.avatar_url_scheme,
  errorTexts.incoming_webhooks_limit_reached(incomingWebhooksPerChannelMax),
];
const ofWebhook = ofServer(manageWebhooks, namedIncomingWebhook);

export function incomingWebhookRoutes(webhooks: IncomingWebhookService): Route[] {
  return [
    route(
      {
        method: "post",
        path: base,
        name: "incomingWebhooks.create",
        summary: "Create an incoming webhook; its token and path are shown only here",
        caller: "account",
        causes: ["SERVER_SETTINGS_UPDATE", "AUDIT_LOG_ENTRY_CREATE"],
        params: serverParams,
        may: ofServer(manageWebhooks),
        body: createIncomingWebhookBody,
        success: created(IncomingWebhookWithToken),
        errors: {
          invalid_input: inputErrors,
          not_found: [errorTexts.channel_not_found],
        },
      },
      ({ may, body }) => webhooks.create(may, body),
    ),
    route(
      {
        method: "get",
        path: base,
        name: "incomingWebhooks.list",
        summary: "List a server's incoming webhooks, oldest first",
        caller: "account",
        params: serverParams,
        may: ofServer(manageWebhooks),
        success: ok(z.object({ webhooks: z.array(IncomingWebhook) })),
      },
      async ({ may }) => ({ webhooks: await webhooks.list((await may.access()).serverId) }),
    ),
    route(
      {
        method: "get",
        path: one,
        name: "incomingWebhooks.get",
        summary: "Get an incoming webhook",
        caller: "account",
        params,
        may: ofWebhook,
        success: ok(IncomingWebhook),
      },
      async ({ may }) => toIncomingWebhook((await may.access()).found),
    ),
    route(
      {
        method: "patch",
        path: one,
        name: "incomingWebhooks.update",
        summary: "Update an incoming webhook",
        caller: "account",
        causes: ["SERVER_SETTINGS_UPDATE", "AUDIT_LOG_ENTRY_CREATE"],
        params,
        may: ofWebhook,
        body: updateIncomingWebhookBody,
        success: ok(IncomingWebhook),
        errors: {
          invalid_input: inputErrors,
          not_found: [errorTexts.channel_not_found],
        },
      },
      ({ may, params, body }) => webhooks.update(may, params, body),
    ),
    route(
      {
        method: "delete",
        path: one,
        name: "incomingWebhooks.delete",
        summary: "Delete an incoming webhook; its messages stay",
        caller: "account",
        causes: ["SERVER_SETTINGS_UPDATE", "AUDIT_LOG_ENTRY_CREATE"],
        params,
        may: ofWebhook,
        success: noContent(),
      },
      ({ may, params }) => webhooks.delete(may, params),
    ),
    route(
      {
        method: "post",
        path: `${one}/token`,
        name: "incomingWebhooks.rotateToken",
        summary: "Give an incoming webhook another token, which is shown only here",
        caller: "account",
        causes: ["SERVER_SETTINGS_UPDATE", "AUDIT_LOG_ENTRY_CREATE"],
        params,
        may: ofWebhook,
        success: ok(IncomingWebhookWithToken),
      },
      ({ may, params }) => webhooks.rotateToken(may, params),
    ),
  ];
}
