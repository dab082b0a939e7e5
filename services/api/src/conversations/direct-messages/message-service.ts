import { createEvent, DmMessage, errorTexts, notFound } from "@parley/contracts";
import type { Database, Queryable, Transaction } from "@parley/database/prisma";
import type { Outbox } from "@parley/outbox";
import type { z } from "zod";
import type { FileUrls } from "../../platform/files/signed-urls.js";
import { changeMessage } from "../core/change.js";
import { createDetailKeys } from "../core/details.js";
import { requireAuthor } from "../core/kind.js";
import type { MessageKind } from "../core/service.js";
import { directKind, forEverybody } from "./kind.js";
import { editDmMessage, findDmDetails, findDmMessage, findDmPage } from "./message-repository.js";
import { requireDirectMessage, requireParticipants } from "./participants-repository.js";
import { type DmMessageRow, toDmMessage } from "./resource.js";
import { updateDirectBody } from "./schema.js";

export type DirectMessages = MessageKind<DmMessageRow, DmMessage, DmMessage, z.output<typeof updateDirectBody>>;

/** What is done with direct messages in a way of their own. */
export function createDirectMessages(options: {
  database: Database;
  outbox: Outbox<Transaction>;
  urls: FileUrls;
}): DirectMessages {
  const { database, outbox, urls } = options;
  const detailKeys = createDetailKeys<DmMessageRow>(urls, (rows, wanted) => findDmDetails(database, rows, wanted));
  const details: DirectMessages["details"] = async (rows, wanted) => {
    const keys = await detailKeys(rows, wanted);
    return rows.map((row, index) => ({ ...toDmMessage(row), ...keys[index] }));
  };
  return {
    listed: DmMessage,
    findMessage: findDmMessage,
    details,
    history: {
      async read({ userId }, { id: channelId }: { id: string }, { include, ...page }) {
        await requireParticipants(database, channelId, userId);
        const rows = await findDmPage(database, { channelId, ...page });
        return JSON.stringify(await details(rows, { viewerId: userId, include }));
      },
    },
    editing: {
      causes: ["DM_MESSAGE_UPDATE"],
      body: updateDirectBody,
      edited: DmMessage,
      invalid: [errorTexts.message_content_length],
      forbidden: [errorTexts.cannot_message_user],
      /** Replaces the text of a message of the caller. */
      async edit({ userId }, { id }: { id: string }, { content }) {
        const find = async (connection: Queryable) => {
          const found = await requireDirectMessage(connection, id, userId);
          requireAuthor(found, userId, errorTexts.edit_author_only);
          return found;
        };
        const { row } = await find(database);
        return changeMessage(outbox, directKind, { row, find }, async ({ transaction, emit, found }) => {
          await directKind.requireMayWrite(transaction, userId, found);
          const edited = await editDmMessage(transaction, id, content);
          if (edited === undefined) throw notFound(errorTexts.message_not_found);
          const message = toDmMessage(edited);
          const payload = { ...message, author: edited.author };
          forEverybody(found, (user, routing) => emit(createEvent("DM_MESSAGE_UPDATE", user, payload, routing)));
          return message;
        });
      },
    },
  };
}
