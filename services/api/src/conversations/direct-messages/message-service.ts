import type { FileUrls } from "@parley/auth";
import { createEvent, DmMessage, errorTexts, notFound } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import type { z } from "zod";
import { author } from "../../access/needs.js";
import type { Asking } from "../../platform/http/may.js";
import { createDetailKeys } from "../core/details.js";
import { toMessage } from "../core/may.js";
import type { MessageKind } from "../core/service.js";
import { directKind, forEverybody, mayReadDirect } from "./kind.js";
import { editDmMessage, findDmDetails, findDmMessage, findDmPage } from "./message-repository.js";
import type { FoundDirectMessage } from "./participants-repository.js";
import { type DmMessageRow, toDmMessage } from "./resource.js";
import { updateDirectBody } from "./schema.js";

export type DirectMessages = MessageKind<
  FoundDirectMessage,
  DmMessageRow,
  DmMessage,
  DmMessage,
  z.output<typeof updateDirectBody>
>;

/** The operations on direct messages that differ from those on other messages. */
export function createDirectMessages({ database, urls }: { database: Database; urls: FileUrls }): DirectMessages {
  const detailKeys = createDetailKeys<DmMessageRow>(urls, (rows, wanted) => findDmDetails(database, rows, wanted));
  const details: DirectMessages["details"] = async (rows, wanted) => {
    const keys = await detailKeys(rows, wanted);
    return rows.map((row, index) => ({ ...toDmMessage(row, urls), ...keys[index] }));
  };
  return {
    listed: DmMessage,
    findMessage: findDmMessage,
    details,
    history: {
      may: {
        ...mayReadDirect,
        ask:
          (stores, asking: Asking<{ id: string }>) =>
          async ({ include, ...page }) => {
            const { userId, channel } = await mayReadDirect.ask(stores, asking).access();
            const rows = await findDmPage(database, { channelId: channel.id, ...page });
            return JSON.stringify(await details(rows, { viewerId: userId, include }));
          },
      },
    },
    editing: {
      causes: ["DM_MESSAGE_UPDATE"],
      body: updateDirectBody,
      edited: DmMessage,
      invalid: [errorTexts.message_content_length],
      forbidden: [],
      may: toMessage(directKind, directKind.paths.messages, {
        needs: [author(errorTexts.edit_author_only)],
        writes: true,
      }),
      /** Replaces the text of a message of the caller. */
      edit: (may, _editor, { content }) =>
        may.change(async ({ transaction, emit, access }) => {
          const edited = await editDmMessage(transaction, access.found.id, content);
          if (edited === undefined) throw notFound(errorTexts.message_not_found);
          const message = toDmMessage(edited, urls);
          const payload = { ...message, author: edited.author };
          forEverybody(access, (user, routing) => emit(createEvent("DM_MESSAGE_UPDATE", user, payload, routing)));
          return message;
        }),
    },
  };
}
