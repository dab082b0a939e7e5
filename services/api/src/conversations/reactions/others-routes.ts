import { errorTexts, Reactor } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import { z } from "zod";
import { located } from "../../access/may.js";
import { linkToNext } from "../../platform/http/list-position.js";
import { noContent, ok, type Route, route } from "../../platform/http/route.js";
import { channelMessage } from "../messages/require-message.js";
import { listReactors, mayRemoveAll, mayRemoveOfUser, removeAll, removeOfUser } from "./others-service.js";
import { clearedEmoji, messageParams, reactionParams, reactorQuery, userReactionParams } from "./schema.js";

const listPath = "/channels/:channel_id/messages/:message_id/reactions";
const path = `${listPath}/:emoji`;

export function othersReactionRoutes(database: Database): Route[] {
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
        may: located(channelMessage),
        query: reactorQuery,
        success: ok(z.array(Reactor)),
        errors: {
          invalid_input: [
            errorTexts.emoji_length,
            errorTexts.after_invalid,
            errorTexts.limit_not_integer,
            errorTexts.member_list_position_invalid,
          ],
        },
      },
      async ({ may, params: { emoji }, query, request, response }) => {
        const { found } = await may.access();
        const { reactors, next } = await listReactors(database, { messageId: found.id, emoji }, query);
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
        may: mayRemoveOfUser,
        success: noContent("Removed"),
        errors: { invalid_input: [errorTexts.emoji_length], not_found: [errorTexts.reaction_not_found] },
      },
      ({ may, params }) => removeOfUser(may, params),
    ),
    route(
      {
        method: "delete",
        path: listPath,
        name: "reactions.removeAll",
        summary: "Remove all reactions to a message, or those with an emoji",
        caller: "account",
        causes: ["REACTION_REMOVE"],
        params: messageParams,
        may: mayRemoveAll,
        query: clearedEmoji,
        success: noContent("Removed, or there were none"),
        errors: { invalid_input: [errorTexts.emoji_length] },
      },
      ({ may, query: { emoji } }) => removeAll(may, emoji),
    ),
  ];
}
