import { caps, errorTexts, ReactionCount } from "@parley/contracts";
import { z } from "zod";
import { capText } from "../../access/caps.js";
import { noContent, ok, type Route, route } from "../../platform/http/route.js";
import { eventOf, type Kind, type MessageAccess } from "../core/kind.js";
import { toMessage } from "../core/may.js";
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

export function reactionRoutes<F extends MessageAccess>(kind: Kind<F>, reactions: ReactionService<F>): Route[] {
  const { reactions: message } = kind.paths;
  const { params } = message;
  const listPath = `${message.path}/reactions`;
  const mayRead = toMessage(kind, message);
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
        may: mayRead,
        success: ok(z.array(ReactionCount)),
      },
      async ({ may }) => reactions.list(await may.access()),
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
        may: toMessage(kind, message, { needs: kind.reacting.needs, writes: true }),
        success: noContent("Added, or present already"),
        errors: { invalid_input: [errorTexts.emoji_length, errorTexts.emoji_unknown, capText(caps.reactions)] },
      },
      ({ may, params: { emoji = "" } }) => reactions.add(may, emoji),
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
        may: mayRead,
        success: noContent("Removed"),
        errors: { invalid_input: [errorTexts.emoji_length], not_found: [errorTexts.reaction_not_found] },
      },
      ({ may, params: { emoji = "" } }) => reactions.remove(may, emoji),
    ),
  ];
}
