import { createEvent, errorTexts, notFound } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import { deleteMessage } from "@parley/moderation";
import { z } from "zod";
import { inChannel } from "../../access/may.js";
import { authorOrManager, permission, viewing } from "../../access/needs.js";
import { requireWriting, writingErrors } from "../../access/safety.js";
import { folders } from "../../platform/files/storage/keys.js";
import { identifier } from "../../platform/http/input.js";
import type { AutomodGate } from "../../rules/automod/gate.js";
import { noMentions } from "../../rules/mentions/mentions.js";
import type { Kind } from "../core/kind.js";
import { findAutomodRules } from "./author-repository.js";
import {
  type ChannelMessageAddress,
  type FoundMessage,
  type MessageAddress,
  requireChannelMessage,
  requireMessage,
} from "./require-message.js";

/** Messages of channels of servers. */
export function createChannelKind({
  database,
  automod,
}: {
  database: Database;
  automod: AutomodGate;
}): Kind<FoundMessage> {
  return {
    name: "channel",
    place: "channel",
    channel: {
      path: "/channels/:channel_id",
      params: z.object({ channel_id: identifier }),
      may: inChannel(viewing),
    },
    paths: {
      messages: {
        path: "/messages/:id",
        aliases: ["/channels/:channel_id/messages/:id"],
        params: z.object({ id: identifier, channel_id: identifier.optional() }),
        missing: [errorTexts.message_not_found],
        find: (connection, userId, ids: MessageAddress) => requireMessage(connection, userId, ids),
      },
      attachments: {
        path: "/messages/:message_id",
        params: z.object({ message_id: identifier }),
        missing: [errorTexts.message_not_found],
        find: (connection, userId, { message_id: id }: { message_id: string }) =>
          requireMessage(connection, userId, { id }),
      },
      reactions: {
        path: "/channels/:channel_id/messages/:message_id",
        params: z.object({ channel_id: identifier, message_id: identifier }),
        missing: [errorTexts.channel_not_found, errorTexts.message_not_found],
        find: (connection, userId, ids: ChannelMessageAddress) => requireChannelMessage(connection, userId, ids),
      },
    },
    reading: [viewing],
    writing: {
      refusals: writingErrors,
      async require(_connection, found) {
        requireWriting(found);
      },
    },
    orderOf: ({ server_id, channel_id }) => ({ server_id, channel_id }),
    eventsOf: ({ found: { server_id, channel_id } }, name, payload) => [
      createEvent(name, { server_id, channel_id }, payload),
    ],
    recheck: async (_session, found) => found,
    deleting: {
      causes: ["MESSAGE_DELETE", "EVENT_DELETE"],
      need: authorOrManager(errorTexts.cannot_delete_message),
      async remove({ transaction, emit, access }) {
        if (!(await deleteMessage(transaction, emit, access.found.id))) throw notFound(errorTexts.message_not_found);
        return [];
      },
    },
    reacting: {
      needs: [permission("ADD_REACTIONS", errorTexts.add_reactions_required)],
      emojis: ({ found }) => ({ server: found.server_id }),
    },
    attaching: {
      folder: folders.attachments,
      needs: [permission("ATTACH_FILES", errorTexts.attach_files_required)],
      refusals: [errorTexts.message_blocked_by_rule],
      /** By the rules of the server about files; most servers have none. */
      async judge({ userId, found: { id, server_id, channel_id, content } }, files, total) {
        const rules = await findAutomodRules(database, server_id);
        const mimeTypes = files.map(({ mime_type }) => mime_type);
        const text = { server_id, channel_id, user_id: userId, content, texts: [content] };
        const facts = { mimeTypes, files: total, ...noMentions };
        const checked = await automod.checkFiles(rules, text, facts);
        return () => automod.afterStored(checked, id);
      },
    },
  };
}
