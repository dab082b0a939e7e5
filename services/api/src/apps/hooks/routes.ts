import { convertSlack } from "@parley/archives";
import { DetailedMessage, errorTexts, IncomingWebhook, Message, SentMessage } from "@parley/contracts";
import type { Response } from "express";
import { z } from "zod";
import { appRejections, describedUpdateBody, updateMessageBody } from "../../conversations/messages/schema.js";
import { messageForm } from "../../platform/files/message-form.js";
import { fileRejections } from "../../platform/files/rejections.js";
import { uploadBytesMax } from "../../platform/files/upload-limits.js";
import { identifier } from "../../platform/http/input.js";
import { answerJson, noContent, ok, type Route, route } from "../../platform/http/route.js";
import { updateByTokenBody } from "../incoming-webhooks/schema.js";
import type { IncomingWebhookService } from "../incoming-webhooks/service.js";
import { convertGithub } from "./convert/github.js";
import type { HookMessages } from "./messages.js";
import { postedBodyBytes, readPostedBody } from "./read-body.js";
import { describedHookBody, hookFormFields, hookQuery } from "./schema.js";
import type { HookService } from "./service.js";

// A wrong id is not found, whatever it looks like.
const params = z.object({ id: z.string(), token: z.string() });
const attempts = { token: "unguessable" } as const;
const causes = ["MESSAGE_CREATE", "THREAD_MESSAGE_CREATE"] as const;
const base = "/hooks/:id/:token";
const oneMessage = `${base}/messages/:message_id`;
const messageParams = params.extend({ message_id: identifier });
const byToken = { caller: "anyone", attempts } as const;
const messageErrors = { not_found: [errorTexts.webhook_not_found, errorTexts.message_not_found] };
const converted = z.record(z.string(), z.unknown());

const errors = {
  invalid_input: [
    errorTexts.message_content_length,
    errorTexts.embeds_invalid("[0].title: must be 1-256 characters"),
    errorTexts.embeds_too_large,
    errorTexts.malformed_json,
    errorTexts.content_type_not_json,
    errorTexts.field_required("payload"),
    errorTexts.nested_thread,
  ],
  not_found: [errorTexts.webhook_not_found, errorTexts.message_not_found],
  forbidden: [errorTexts.word_filtered, errorTexts.duplicate_message, errorTexts.message_blocked_by_rule],
};

/** Routes of incoming webhooks, whose token is the only credential. */
export function hookRoutes(
  hooks: HookService,
  messages: HookMessages,
  { changeByToken }: Pick<IncomingWebhookService, "changeByToken">,
): Route[] {
  const answer = (response: Response, message: SentMessage, wait: string | undefined) => {
    if (wait === "true") answerJson(response, 200, message);
    else response.status(204).end();
  };
  return [
    route(
      {
        method: "post",
        path: base,
        name: "incomingWebhooks.post",
        summary: "Send a message through an incoming webhook",
        description:
          "The token in the address is the only credential. JSON, a form with JSON in its field `payload`, or " +
          "multipart/form-data with `payload_json` and files, which may have any names. Without that JSON the fields of " +
          "a form are the body. Bodies for Discord's webhooks fit unchanged.",
        caller: "anyone",
        attempts,
        causes,
        params,
        query: hookQuery,
        body: describedHookBody,
        bodyContentType: "application/json",
        form: messageForm,
        bodyBytes: { ...postedBodyBytes, "multipart/form-data": uploadBytesMax },
        success: noContent("Sent"),
        otherAnswers: [ok(SentMessage, "The message, with `wait=true`")],
        errors: {
          ...errors,
          invalid_input: [
            ...errors.invalid_input,
            errorTexts.hook_username_length,
            errorTexts.avatar_url_length,
            errorTexts.avatar_url_scheme,
            errorTexts.thread_id_invalid,
            ...fileRejections,
          ],
        },
      },
      async ({ params, query, request, response }) => {
        const hook = await hooks.admit(params.id, params.token);
        const body = await readPostedBody(request, response, hookFormFields);
        const message = await hooks.send(hook, body, query.thread_id);
        answer(response, message, query.wait);
      },
      async ({ params, query, request, response }) => {
        const hook = await hooks.admit(params.id, params.token);
        answer(response, await hooks.sendForm(hook, request, query.thread_id), query.wait);
      },
    ),
    route(
      {
        method: "post",
        path: `${base}/slack`,
        name: "incomingWebhooks.postSlack",
        summary: "Send what is made for Slack's incoming webhooks",
        description: "JSON, or a form with JSON in its field `payload`: text, attachments and blocks.",
        caller: "anyone",
        attempts,
        causes,
        params,
        body: converted,
        bodyContentType: "application/json",
        bodyBytes: postedBodyBytes,
        success: {
          status: 200,
          description: "`ok`",
          schema: z.string().meta({ example: "ok" }),
          contentType: "text/plain",
        },
        errors,
      },
      async ({ params, request, response }) => {
        const hook = await hooks.admit(params.id, params.token);
        await hooks.send(hook, convertSlack(await readPostedBody(request, response)));
        response.status(200).type("text/plain").send("ok");
        return "";
      },
    ),
    route(
      {
        method: "post",
        path: `${base}/github`,
        name: "incomingWebhooks.postGithub",
        summary: "Send what GitHub's webhooks tell",
        description:
          "The header `X-GitHub-Event` says which event it is: `push`, `pull_request` and `issues` (opened, closed, reopened), " +
          "`issue_comment` (created), `release` (published), `star` (created), `workflow_run` (completed). All others are " +
          "accepted without effect.",
        caller: "anyone",
        attempts,
        causes,
        params,
        body: converted,
        bodyContentType: "application/json",
        bodyBytes: postedBodyBytes,
        success: noContent("Sent, or without effect"),
        errors,
      },
      async ({ params, request, response }) => {
        const hook = await hooks.admit(params.id, params.token);
        const payload = await readPostedBody(request, response);
        const message = convertGithub(request.get("x-github-event") ?? "", payload);
        if (message !== null) await hooks.send(hook, message);
      },
    ),
    route(
      {
        method: "patch",
        path: base,
        name: "incomingWebhooks.updateByToken",
        summary: "Change an incoming webhook by its token",
        ...byToken,
        causes: ["SERVER_SETTINGS_UPDATE", "AUDIT_LOG_ENTRY_CREATE"],
        params,
        body: updateByTokenBody,
        success: ok(IncomingWebhook),
        errors: {
          invalid_input: [
            errorTexts.incoming_webhook_name_length,
            errorTexts.avatar_url_length,
            errorTexts.avatar_url_scheme,
          ],
          not_found: [errorTexts.webhook_not_found],
        },
      },
      async ({ params, body }) => changeByToken(await hooks.admit(params.id, params.token), body),
    ),
    route(
      {
        method: "delete",
        path: base,
        name: "incomingWebhooks.deleteByToken",
        summary: "Delete an incoming webhook by its token; its messages stay",
        ...byToken,
        causes: ["SERVER_SETTINGS_UPDATE", "AUDIT_LOG_ENTRY_CREATE"],
        params,
        success: noContent(),
        errors: { not_found: [errorTexts.webhook_not_found] },
      },
      async ({ params }) => {
        await changeByToken(await hooks.admit(params.id, params.token), null);
      },
    ),
    route(
      {
        method: "get",
        path: oneMessage,
        name: "incomingWebhooks.getMessage",
        summary: "Get a message of an incoming webhook by its token",
        ...byToken,
        params: messageParams,
        success: ok(DetailedMessage),
        errors: messageErrors,
      },
      async ({ params }) => messages.get(await hooks.admit(params.id, params.token), params.message_id),
    ),
    route(
      {
        method: "patch",
        path: oneMessage,
        name: "incomingWebhooks.editMessage",
        summary: "Edit a message of an incoming webhook by its token",
        ...byToken,
        causes: ["MESSAGE_UPDATE", "MESSAGE_PREVIEWS"],
        params: messageParams,
        body: updateMessageBody,
        describedBody: describedUpdateBody,
        success: ok(Message),
        errors: {
          ...messageErrors,
          invalid_input: [errorTexts.message_content_length, ...appRejections],
          forbidden: [errorTexts.word_filtered, errorTexts.message_blocked_by_rule],
        },
      },
      async ({ params, body }) => messages.edit(await hooks.admit(params.id, params.token), params.message_id, body),
    ),
    route(
      {
        method: "delete",
        path: oneMessage,
        name: "incomingWebhooks.deleteMessage",
        summary: "Delete a message of an incoming webhook by its token",
        ...byToken,
        causes: ["MESSAGE_DELETE", "EVENT_DELETE"],
        params: messageParams,
        success: noContent(),
        errors: messageErrors,
      },
      async ({ params }) => messages.delete(await hooks.admit(params.id, params.token), params.message_id),
    ),
  ];
}
