import { caps, errorTexts, ReactionCount } from "@parley/contracts";
import { z } from "zod";
import { capText } from "../../access/caps.js";
import { noContent, ok, type Route, route } from "../../platform/http/route.js";
import { eventOf, type Found, type Kind } from "../core/kind.js";
import { emoji, newEmoji } from "./schema.js";
import type { ReactionService } from "./service.js";

const names = {
  channel: { list: "reactions.list", add: "reactions.add", remove: "reactions.remove" },
  direct: {
    list: "directMessages.reactions",
    add: "directMessages.addReaction",
    remove: "directMessages.removeReaction",
  },
} as const;
const summaries = {
  channel: {
    list: "Count a message's reactions by emoji",
    add: "Add a reaction",
    remove: "Remove one's own reaction",
  },
  direct: {
    list: "Count a direct message's reactions by emoji",
    add: "Add a reaction to a direct message",
    remove: "Remove one's own reaction from a direct message",
  },
};

export function reactionRoutes<F extends Found>(kind: Kind<F>, reactions: ReactionService): Route[] {
  const { path: messagePath, params, missing } = kind.paths.reactions;
  const listPath = `${messagePath}/reactions`;
  const path = `${listPath}/:emoji`;
  const name = names[kind.name];
  const summary = summaries[kind.name];
  return [
    route(
      {
        method: "get",
        path: listPath,
        name: name.list,
        summary: summary.list,
        caller: "account",
        params,
        success: ok(z.array(ReactionCount)),
        errors: { not_found: missing, forbidden: kind.hidden },
      },
      ({ identity, params }) => reactions.list(identity.userId, params),
    ),
    route(
      {
        method: "put",
        path,
        name: name.add,
        summary: summary.add,
        caller: "account",
        causes: [eventOf(kind, "REACTION_ADD")],
        params: params.extend({ emoji: newEmoji }),
        success: noContent("Added, or present already"),
        errors: {
          invalid_input: [errorTexts.emoji_length, errorTexts.emoji_unknown, capText(caps.reactions)],
          not_found: missing,
          forbidden: [...kind.hidden, ...kind.reacting.forbidden],
        },
      },
      ({ identity, params }) => reactions.add(identity.userId, params),
    ),
    route(
      {
        method: "delete",
        path,
        name: name.remove,
        summary: summary.remove,
        caller: "account",
        causes: [eventOf(kind, "REACTION_REMOVE")],
        params: params.extend({ emoji }),
        success: noContent("Removed"),
        errors: {
          invalid_input: [errorTexts.emoji_length],
          not_found: [...missing, errorTexts.reaction_not_found],
          forbidden: kind.hidden,
        },
      },
      ({ identity, params }) => reactions.remove(identity.userId, params),
    ),
  ];
}
