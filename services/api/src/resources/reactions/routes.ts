import { caps, ReactionCount } from "@parley/contracts";
import { z } from "zod";
import { capText } from "../../access/caps.js";
import { cannotView } from "../../access/channel-access.js";
import { accessErrors } from "../../access/error-texts.js";
import { noContent, ok, type Route, route } from "../../http/route.js";
import { messageErrors } from "../messages/error-texts.js";
import { reactionErrors } from "./error-texts.js";
import { messageParams, reactionParams } from "./schema.js";
import type { ReactionService } from "./service.js";

const listPath = "/channels/:channel_id/messages/:message_id/reactions";
const path = `${listPath}/:emoji`;
const notFound = [accessErrors.channelNotFound, messageErrors.notFound];
const emojiError = reactionErrors.emoji;

export function reactionRoutes(reactions: ReactionService): Route[] {
  return [
    route(
      {
        method: "get",
        path: listPath,
        tag: "reactions",
        summary: "Count a message's reactions by emoji",
        caller: "account",
        params: messageParams,
        success: ok(z.array(ReactionCount)),
        errors: { not_found: notFound, forbidden: [cannotView] },
      },
      ({ identity, params }) => reactions.list(identity.userId, params),
    ),
    route(
      {
        method: "put",
        path,
        tag: "reactions",
        summary: "Add a reaction",
        caller: "account",
        params: reactionParams,
        success: noContent("Added, or present already"),
        errors: {
          invalid_input: [emojiError, capText(caps.reactions)],
          not_found: notFound,
          forbidden: [cannotView, reactionErrors.needAddReactions],
        },
      },
      ({ identity, params }) => reactions.add(identity.userId, params),
    ),
    route(
      {
        method: "delete",
        path,
        tag: "reactions",
        summary: "Remove one's own reaction",
        caller: "account",
        params: reactionParams,
        success: noContent("Removed"),
        errors: {
          invalid_input: [emojiError],
          not_found: [...notFound, reactionErrors.notFound],
          forbidden: [cannotView],
        },
      },
      ({ identity, params }) => reactions.remove(identity.userId, params),
    ),
  ];
}
