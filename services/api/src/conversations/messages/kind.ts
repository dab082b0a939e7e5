import { createEvent, errorTexts, notFound } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import { deleteMessage } from "@parley/moderation";
import { z } from "zod";
import { requireChannel } from "../../access/channel-access.js";
import { requireWriting, writingErrors } from "../../access/safety.js";
import { requirePermission } from "../../access/server-access.js";
import { folders } from "../../platform/files/storage/keys.js";
import { identifier } from "../../platform/http/input.js";
import type { AutomodGate } from "../../rules/automod/gate.js";
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
    channel: {
      path: "/channels/:channel_id",
      params: z.object({ channel_id: identifier }),
      missing: errorTexts.channel_not_found,
      async find(connection, userId, { channel_id: channelId }: { channel_id: string }) {
        const { serverId } = await requireChannel(connection, channelId, userId);
        return { channelId, serverId };
      },
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
    hidden: [errorTexts.view_channel_required],
    orderOf: ({ server_id, channel_id }) => ({ server_id, channel_id }),
    eventsOf: ({ row: { server_id, channel_id } }, name, payload) => [
      createEvent(name, { server_id, channel_id }, payload),
    ],
    async requireMayWrite(_connection, _userId, { access }) {
      requireWriting(access);
    },
    recheck: async (_session, _userId, found) => found,
    deleting: {
      causes: ["MESSAGE_DELETE", "EVENT_DELETE"],
      forbidden: [errorTexts.cannot_delete_message],
      requireMay({ row, access }, userId) {
        if (row.author_id !== userId) requirePermission(access, "MANAGE_MESSAGES", errorTexts.cannot_delete_message);
      },
      async remove({ transaction, emit, found }) {
        if (!(await deleteMessage(transaction, emit, found.row.id))) throw notFound(errorTexts.message_not_found);
        return [];
      },
    },
    reacting: {
      forbidden: [errorTexts.add_reactions_required, ...writingErrors],
      requireMay: ({ access }) => requirePermission(access, "ADD_REACTIONS", errorTexts.add_reactions_required),
      emojis: (_userId, { row }) => ({ server: row.server_id }),
    },
    attaching: {
      folder: folders.attachments,
      forbidden: [errorTexts.attach_files_required, ...writingErrors, errorTexts.message_blocked_by_rule],
      requireMay({ access }) {
        requirePermission(access, "ATTACH_FILES", errorTexts.attach_files_required);
        requireWriting(access);
      },
      /** By the rules of the server about files; most servers have none. */
      async judge(userId, { id, server_id, channel_id, content }, files, total) {
        const rules = await findAutomodRules(database, server_id);
        const mimeTypes = files.map(({ mime_type }) => mime_type);
        const text = { server_id, channel_id, user_id: userId, content, texts: [content] };
        const facts = { mimeTypes, files: total, mentionUserIds: [], mentionEveryone: false };
        const checked = await automod.checkFiles(rules, text, facts);
        return () => automod.afterStored(checked, id);
      },
    },
  };
}
