import type { InteractionTokens } from "@parley/auth";
import { errorTexts, InteractionMessage, InteractionState, rateLimited } from "@parley/contracts";
import type { TokenBucket } from "@parley/redis";
import type { Request } from "express";
import { z } from "zod";
import { writingErrors } from "../../access/safety.js";
import { appRejections, describedUpdateBody, updateMessageBody } from "../../conversations/messages/schema.js";
import { identifier } from "../../platform/http/input.js";
import { noContent, ok, type Route, route } from "../../platform/http/route.js";
import type { Answers } from "./answers.js";
import { type Invoke, mayInvoke } from "./invoke.js";
import { answerBody, answerQuery, describedAnswerBody, invokeBody } from "./schema.js";

const Begun = z.object({ id: z.string() });
const invokeParams = z.object({ id: identifier });
const answerParams = z.object({ id: identifier, token: z.string() });

/** Every event that an answer may cause. */
export const answerCauses = ["INTERACTION_UPDATE", "MESSAGE_CREATE", "MESSAGE_UPDATE", "MESSAGE_PREVIEWS"] as const;

export function interactionRoutes(options: {
  invoke: Invoke;
  answers: Answers;
  tokens: InteractionTokens;
  /** Answers of each interaction. */
  answerBucket: Pick<TokenBucket, "take">;
}): Route[] {
  const { invoke, answers, tokens, answerBucket } = options;
  const isRight = ({ params }: Request) => tokens.isValid(String(params.id), String(params.token));
  /** What the routes of answers share: the token is their only credential. */
  const byToken = {
    path: "/interactions/:id/:token/answer",
    caller: "anyone",
    unlimited: isRight,
    async count(request: Request) {
      if (!isRight(request)) return;
      const { allowed, retryAfterSeconds } = await answerBucket.take(String(request.params.id).toLowerCase());
      if (!allowed) throw rateLimited("interaction_answers", errorTexts.rate_limited, retryAfterSeconds);
    },
    attempts: { token: "unguessable" },
    params: answerParams,
  } as const;
  const notEphemeral = [errorTexts.interaction_not_found, errorTexts.message_not_found];
  return [
    route(
      {
        method: "post",
        path: "/channels/:id/interactions",
        name: "interactions.invoke",
        summary: "Use a command of a bot, complete an option of one, press a component, or hand in a modal",
        description:
          "The answer says that the bot is asked. What comes of it is said by INTERACTION_UPDATE and by " +
          "`GET /interactions/{id}`: without an answer within three seconds it failed.",
        caller: "app user",
        causes: ["INTERACTION_CREATE", "INTERACTION_UPDATE"],
        params: invokeParams,
        may: mayInvoke,
        body: invokeBody,
        success: { status: 202, description: "The bot is asked", schema: Begun },
        errors: {
          invalid_input: [
            errorTexts.interaction_invalid,
            errorTexts.focused_invalid,
            errorTexts.options_invalid(".<name>: …"),
            errorTexts.fields_invalid(".<id>: …"),
            errorTexts.target_invalid(": …"),
            errorTexts.values_invalid("[0]: …"),
          ],
          not_found: [errorTexts.command_not_found, errorTexts.component_not_found, errorTexts.interaction_not_found],
          forbidden: [errorTexts.timed_out, ...writingErrors],
        },
      },
      ({ may, body, request }) => {
        const invoker = { ...may, locale: localeOf(request) };
        if ("modal_id" in body) return invoke.modal(invoker, body);
        return "custom_id" in body ? invoke.component(invoker, body) : invoke.command(invoker, body);
      },
    ),
    route(
      {
        ...byToken,
        method: "post",
        name: "interactions.answer",
        summary: "Answer an interaction, as the bot that it is with",
        description:
          "The token of INTERACTION_CREATE is the only credential. Requests with a right one are not limited together: each " +
          "interaction takes 10 a second.",
        causes: answerCauses,
        body: answerBody,
        describedBody: describedAnswerBody,
        success: ok(z.object({ message_id: z.string().nullable() })),
        errors: {
          invalid_input: [
            errorTexts.answer_type_invalid,
            errorTexts.follow_up_not_boolean,
            errorTexts.answer_invalid(".content: …"),
            errorTexts.answer_does_not_fit,
            errorTexts.message_content_length,
            errorTexts.embeds_too_large,
          ],
          not_found: [errorTexts.interaction_not_found, errorTexts.channel_not_found, errorTexts.message_not_found],
          conflict: [errorTexts.already_answered],
          rate_limited: [errorTexts.rate_limited],
          forbidden: [
            errorTexts.view_channel_required,
            errorTexts.send_messages_required,
            errorTexts.timed_out,
            errorTexts.word_filtered,
            errorTexts.message_blocked_by_rule,
          ],
        },
      },
      ({ params, body }) => answers.answer(params.id, params.token, body),
    ),
    route(
      {
        ...byToken,
        method: "patch",
        name: "interactions.editAnswer",
        summary:
          "Change the latest answer to an interaction that only its invoker sees, or with `original` the first one",
        query: answerQuery,
        causes: ["INTERACTION_UPDATE"],
        body: updateMessageBody,
        describedBody: describedUpdateBody,
        success: ok(InteractionMessage),
        errors: {
          invalid_input: [errorTexts.message_content_length, ...appRejections],
          not_found: notEphemeral,
          rate_limited: [errorTexts.rate_limited],
        },
      },
      ({ params, query, body }) => answers.edit(params.id, params.token, query, body),
    ),
    route(
      {
        ...byToken,
        method: "delete",
        name: "interactions.withdrawAnswer",
        summary:
          "Take back the latest answer to an interaction that only its invoker sees, or with `original` the first one",
        query: answerQuery,
        description: "The invoker gets INTERACTION_UPDATE with the message as a deleted one.",
        causes: ["INTERACTION_UPDATE"],
        success: noContent(),
        errors: { not_found: notEphemeral, rate_limited: [errorTexts.rate_limited] },
      },
      ({ params, query }) => answers.withdraw(params.id, params.token, query),
    ),
    route(
      {
        method: "get",
        path: "/interactions/:id",
        name: "interactions.get",
        summary: "Get how an interaction of the caller stands, for 15 minutes",
        caller: "account",
        params: invokeParams,
        may: answers.mayRead,
        success: ok(InteractionState),
      },
      ({ may }) => may.access(),
    ),
  ];
}

/** The language that a request asks for first. */
function localeOf({ headers }: Request): string | null {
  const [first = ""] = (headers["accept-language"] ?? "").split(/[,;]/);
  return /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,3}$/.test(first.trim()) ? first.trim() : null;
}
