import {
  errorTexts,
  IncomingWebhook,
  IncomingWebhookWithToken,
  incomingWebhooksPerChannelMax,
} from "@parley/contracts";
import { z } from "zod";
import { identifier } from "../../platform/http/input.js";
import { created, noContent, ok, type Route, route } from "../../platform/http/route.js";
import { createIncomingWebhookBody, updateIncomingWebhookBody } from "./schema.js";
import type { IncomingWebhookService } from "./service.js";

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
const forbidden = [errorTexts.webhooks_need_administrator];
const onWebhook = { not_found: [errorTexts.server_not_found, errorTexts.webhook_not_found], forbidden };

export function incomingWebhookRoutes(webhooks: IncomingWebhookService): Route[] {
  return [
    route(
      {
        method: "post",
        path: base,
        name: "incomingWebhooks.create",
        summary: "Create an incoming webhook; its token and path are shown only here",
        caller: "account",
        causes: ["SERVER_SETTINGS_UPDATE"],
        params: serverParams,
        body: createIncomingWebhookBody,
        success: created(IncomingWebhookWithToken),
        errors: {
          invalid_input: inputErrors,
          not_found: [errorTexts.server_not_found, errorTexts.channel_not_found],
          forbidden,
        },
      },
      ({ identity, params, body }) => webhooks.create(identity.userId, params.server_id, body),
    ),
    route(
      {
        method: "get",
        path: base,
        name: "incomingWebhooks.list",
        summary: "List a server's incoming webhooks, oldest first",
        caller: "account",
        params: serverParams,
        success: ok(z.object({ webhooks: z.array(IncomingWebhook) })),
        errors: { not_found: [errorTexts.server_not_found], forbidden },
      },
      async ({ identity, params }) => ({ webhooks: await webhooks.list(identity.userId, params.server_id) }),
    ),
    route(
      {
        method: "get",
        path: one,
        name: "incomingWebhooks.get",
        summary: "Get an incoming webhook",
        caller: "account",
        params,
        success: ok(IncomingWebhook),
        errors: onWebhook,
      },
      ({ identity, params }) => webhooks.get(identity.userId, params),
    ),
    route(
      {
        method: "patch",
        path: one,
        name: "incomingWebhooks.update",
        summary: "Update an incoming webhook",
        caller: "account",
        causes: ["SERVER_SETTINGS_UPDATE"],
        params,
        body: updateIncomingWebhookBody,
        success: ok(IncomingWebhook),
        errors: {
          invalid_input: inputErrors,
          not_found: [...onWebhook.not_found, errorTexts.channel_not_found],
          forbidden,
        },
      },
      ({ identity, params, body }) => webhooks.update(identity.userId, params, body),
    ),
    route(
      {
        method: "delete",
        path: one,
        name: "incomingWebhooks.delete",
        summary: "Delete an incoming webhook; its messages stay",
        caller: "account",
        causes: ["SERVER_SETTINGS_UPDATE"],
        params,
        success: noContent(),
        errors: onWebhook,
      },
      ({ identity, params }) => webhooks.delete(identity.userId, params),
    ),
    route(
      {
        method: "post",
        path: `${one}/token`,
        name: "incomingWebhooks.rotateToken",
        summary: "Give an incoming webhook another token, which is shown only here",
        caller: "account",
        causes: ["SERVER_SETTINGS_UPDATE"],
        params,
        success: ok(IncomingWebhookWithToken),
        errors: onWebhook,
      },
      ({ identity, params }) => webhooks.rotateToken(identity.userId, params),
    ),
  ];
}
