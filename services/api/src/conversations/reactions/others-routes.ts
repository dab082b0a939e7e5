import { errorTexts, Reactor } from "@parley/contracts";
import { z } from "zod";
import { linkToNext } from "../../platform/http/list-position.js";
import { noContent, ok, type Route, route } from "../../platform/http/route.js";
import type { OthersReactions } from "./others-service.js";
import { messageParams, reactionParams, reactorQuery, userReactionParams } from "./schema.js";

const listPath = "/channels/:channel_id/messages/:message_id/reactions";
const path = `${listPath}/:emoji`;
const notFound = [errorTexts.channel_not_found, errorTexts.message_not_found];

export function othersReactionRoutes(reactions: OthersReactions): Route[] {
  return [
    route(
      {
        method: "get",
        path,
        name: "reactions.listUsers",
        summary: "List who reacted to a message with an emoji",
        description:
          "In the order of reacting; nobody for an emoji that nobody used. The `Link` header leads to the next page " +
          '(`rel="next"`) while there is one, whoever takes a reaction back meanwhile.',
        caller: "account",
        params: reactionParams,
        query: reactorQuery,
        success: ok(z.array(Reactor)),
        errors: {
          invalid_input: [
            errorTexts.emoji_length,
            errorTexts.after_invalid,
            errorTexts.limit_not_integer,
            errorTexts.member_list_position_invalid,
          ],
          not_found: notFound,
          forbidden: [errorTexts.view_channel_required],
        },
      },
      async ({ identity, params, query, request, response }) => {
        const { reactors, next } = await reactions.listUsers(identity.userId, params, query);
        linkToNext(request, response, next);
        return reactors;
      },
    ),
    route(
      {
        method: "delete",
        path: `${path}/:user_id`,
        name: "reactions.removeOfUser",
        summary: "Remove somebody's reaction",
        description: "That of another user with MANAGE_MESSAGES.",
        caller: "account",
        causes: ["REACTION_REMOVE"],
        params: userReactionParams,
        success: noContent("Removed"),
        errors: {
          invalid_input: [errorTexts.emoji_length],
          not_found: [...notFound, errorTexts.reaction_not_found],
          forbidden: [errorTexts.view_channel_required, errorTexts.missing_permission],
        },
      },
      ({ identity, params }) => reactions.removeOfUser(identity.userId, params),
    ),
    route(
      {
        method: "delete",
        path: listPath,
        name: "reactions.removeAll",
        summary: "Remove all reactions to a message",
        caller: "account",
        causes: ["REACTION_REMOVE"],
        params: messageParams,
        success: noContent("Removed, or there were none"),
        errors: { not_found: notFound, forbidden: [errorTexts.view_channel_required, errorTexts.missing_permission] },
      },
      ({ identity, params }) => reactions.removeAll(identity.userId, params),
    ),
  ];
}
