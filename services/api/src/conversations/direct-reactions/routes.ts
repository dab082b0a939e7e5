import { caps, errorTexts, ReactionCount } from "@parley/contracts";
import { z } from "zod";
import { capText } from "../../access/caps.js";
import { identifier } from "../../platform/http/input.js";
import { noContent, ok, type Route, route } from "../../platform/http/route.js";
import { emoji, newEmoji } from "../reactions/schema.js";
import type { DirectReactions } from "./service.js";

const messageParams = z.object({ id: identifier });
const reactionParams = messageParams.extend({ emoji });
const listPath = "/dm-messages/:id/reactions";
const path = `${listPath}/:emoji`;
const notFound = [errorTexts.message_not_found];

export function directReactionRoutes(reactions: DirectReactions): Route[] {
  return [
    route(
      {
        method: "get",
        path: listPath,
        name: "directMessages.reactions",
        summary: "Count a direct message's reactions by emoji",
        caller: "account",
        params: messageParams,
        success: ok(z.array(ReactionCount)),
        errors: { not_found: notFound },
      },
      ({ identity, params }) => reactions.list(identity.userId, params.id),
    ),
    route(
      {
        method: "put",
        path,
        name: "directMessages.addReaction",
        summary: "Add a reaction to a direct message",
        caller: "account",
        causes: ["DM_REACTION_ADD"],
        params: messageParams.extend({ emoji: newEmoji }),
        success: noContent("Added, or present already"),
        errors: {
          invalid_input: [errorTexts.emoji_length, errorTexts.emoji_unknown, capText(caps.reactions)],
          not_found: notFound,
          forbidden: [errorTexts.cannot_message_user],
        },
      },
      ({ identity, params }) => reactions.add(identity.userId, params),
    ),
    route(
      {
        method: "delete",
        path,
        name: "directMessages.removeReaction",
        summary: "Remove one's own reaction from a direct message",
        caller: "account",
        causes: ["DM_REACTION_REMOVE"],
        params: reactionParams,
        success: noContent("Removed"),
        errors: { invalid_input: [errorTexts.emoji_length], not_found: [...notFound, errorTexts.reaction_not_found] },
      },
      ({ identity, params }) => reactions.remove(identity.userId, params),
    ),
  ];
}
