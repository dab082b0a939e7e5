import { createEvent, errorTexts } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import { z } from "zod";
import { requireWriting, writingErrors } from "../../access/safety.js";
import { requirePermission } from "../../access/server-access.js";
import { folders } from "../../platform/files/storage/keys.js";
import { identifier } from "../../platform/http/input.js";
import type { AutomodGate } from "../../rules/automod/gate.js";
import type { Kind } from "../core/kind.js";
import { findAutomodRules } from "./author-repository.js";
import { type FoundMessage, requireMessage } from "./require-message.js";

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
    paths: {
      attachments: {
        path: "/messages/:message_id",
        params: z.object({ message_id: identifier }),
        missing: [errorTexts.message_not_found],
        find: (connection, userId, { message_id: id }: { message_id: string }) =>
          requireMessage(connection, userId, { id }),
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
