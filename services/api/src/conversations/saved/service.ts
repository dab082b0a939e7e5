import { caps, createEvent, type SavedPage } from "@parley/contracts";
import type { Database, Transaction } from "@parley/database/prisma";
import type { Emit, Outbox } from "@parley/outbox";
import type { CallerRight } from "../../access/asked.js";
import { lockAccount, requireBelowCap } from "../../access/caps.js";
import { pageLimitMax } from "../../platform/http/page-limit.js";
import type { FindAnyMessages } from "../any-message/find.js";
import type { MessageAccess } from "../core/kind.js";
import {
  changeNote,
  countSaves,
  deleteSave,
  findSave,
  findSaved,
  insertSave,
  listStart,
  type SavedRow,
} from "./repository.js";
import type { SavedQuery } from "./schema.js";

export function createSavedMessages(options: {
  database: Database;
  outbox: Outbox<Transaction>;
  findMessages: FindAnyMessages;
}) {
  const { database, outbox, findMessages } = options;
  const announce = (emit: Emit, userId: string, messageId: string, row: SavedRow | null) =>
    emit(
      createEvent(
        "SAVED_UPDATE",
        { user_id: userId },
        { message_id: messageId, saved: row && { saved_at: row.saved_at.toISOString(), note: row.note } },
      ),
    );

  return {
    /** A page of the saved messages that the caller may read now, the one saved last first. */
    async list(userId: string, { before, limit }: SavedQuery): Promise<SavedPage> {
      let after = before === undefined ? listStart : await findSave(database, userId, before);
      const saved: SavedPage["saved"] = [];
      while (after !== null && saved.length < limit) {
        const rows: SavedRow[] = await findSaved(database, userId, { after, limit: pageLimitMax });
        const messages = await findMessages(
          rows.map(({ message_id }) => message_id),
          userId,
        );
        for (const { message_id, saved_at, note } of rows) {
          const message = messages.get(message_id);
          if (message !== undefined) saved.push({ message, saved_at: saved_at.toISOString(), note });
        }
        after = rows.length < pageLimitMax ? null : (rows.at(-1) ?? null);
      }
      return { saved: saved.slice(0, limit) };
    },

    /** Keeps a message, or changes the note of one that is kept. @param note undefined for the one that there is */
    save(may: CallerRight<MessageAccess>, note: string | null | undefined): Promise<void> {
      return may.change(async ({ access: { userId, found }, transaction, emit }) => {
        await lockAccount(transaction, userId);
        const before = await findSave(transaction, userId, found.id);
        if (before === null) requireBelowCap(caps.savedMessages, await countSaves(transaction, userId));
        else if (note === undefined || note === before.note) return;
        const save = { userId, messageId: found.id, note: note ?? null };
        const row = before === null ? await insertSave(transaction, save) : await changeNote(transaction, save);
        if (row !== undefined) announce(emit, userId, found.id, row);
      });
    },

    /** Forgets a message, which may be gone. */
    remove(userId: string, messageId: string): Promise<void> {
      return outbox.transaction([{ user_id: userId }], async (transaction, emit) => {
        if (await deleteSave(transaction, userId, messageId)) announce(emit, userId, messageId, null);
      });
    },
  };
}

export type SavedMessages = ReturnType<typeof createSavedMessages>;
