import {
  AutomodConfig,
  AutomodLogEntry,
  type AutomodWord,
  caps,
  createEvent,
  errorTexts,
  isStorableText,
  notFound,
} from "@parley/contracts";
import type {
  AutomodConfig as ConfigRow,
  Database,
  AutomodLog as LogRow,
  Transaction,
  AutomodWord as WordRow,
} from "@parley/database/prisma";
import { lockServer } from "@parley/moderation";
import type { Emit, Outbox } from "@parley/outbox";
import { requireBelowCap } from "../../access/caps.js";
import { isEmptyChange } from "../../platform/http/empty-change.js";
import type { ChangeTurns } from "../../platform/load/change-turns.js";
import { requireAutomodAccess } from "./access.js";
import {
  countWords,
  deleteWord,
  findConfig,
  findLog,
  findWord,
  findWords,
  insertWord,
  putConfig,
} from "./repository.js";
import type { UpdateConfig } from "./schema.js";

/** A configuration as it goes over the wire (docs/interface.md#4.24). */
function toAutomodConfig(row: ConfigRow): AutomodConfig {
  return AutomodConfig.parse({ ...row, updated_at: row.updated_at.toISOString() });
}

/** A filtered word as it goes over the wire (docs/interface.md#4.25). */
function toAutomodWord({ id, server_id, word, created_by, created_at }: WordRow): AutomodWord {
  return { id, server_id, word, created_by, created_at: created_at.toISOString() };
}

/** A log entry as it goes over the wire (docs/interface.md#4.25). */
function toAutomodLogEntry(row: LogRow): AutomodLogEntry {
  return AutomodLogEntry.parse({ ...row, rule_id: row.rule_id ?? undefined, created_at: row.created_at.toISOString() });
}

export function createAutomodService(options: { database: Database; outbox: Outbox<Transaction>; turns: ChangeTurns }) {
  const { database, outbox, turns } = options;

  const changeInTurn = <T>(serverId: string, change: (transaction: Transaction, emit: Emit) => Promise<T>) =>
    turns.run(serverId, () => outbox.transaction([{ server_id: serverId }], change));

  return {
    async get(userId: string, serverId: string): Promise<AutomodConfig> {
      await requireAutomodAccess(database, serverId, userId);
      const row = await findConfig(database, serverId);
      if (row === null) throw notFound(errorTexts.automod_not_configured);
      return toAutomodConfig(row);
    },

    async update(userId: string, serverId: string, changes: UpdateConfig): Promise<AutomodConfig> {
      await requireAutomodAccess(database, serverId, userId);
      const isEmpty = isEmptyChange(changes);
      const change = async (transaction: Transaction, emit: Emit) => {
        const before = isEmpty ? await findConfig(transaction, serverId) : null;
        if (before !== null) return before;
        const config = await putConfig(transaction, serverId, changes);
        if (!isEmpty) emitChange(emit, serverId);
        return config;
      };
      return toAutomodConfig(await changeInTurn(serverId, change));
    },

    /** In the order of insertion. */
    async listWords(userId: string, serverId: string): Promise<AutomodWord[]> {
      await requireAutomodAccess(database, serverId, userId);
      return (await findWords(database, serverId)).map(toAutomodWord);
    },

    /** A word that is there already stays as it is. */
    async addWord(userId: string, serverId: string, word: string): Promise<AutomodWord> {
      await requireAutomodAccess(database, serverId, userId);
      const add = async (transaction: Transaction, emit: Emit) => {
        await lockServer(transaction, serverId);
        const found = await findWord(transaction, serverId, word);
        if (found !== undefined) return found;
        requireBelowCap(caps.words, await countWords(transaction, serverId));
        const added = await insertWord(transaction, serverId, { word, createdBy: userId });
        if (added === undefined) throw notFound(errorTexts.server_not_found);
        emitChange(emit, serverId);
        return added;
      };
      return toAutomodWord(await changeInTurn(serverId, add));
    },

    async removeWord(userId: string, serverId: string, word: string): Promise<void> {
      await requireAutomodAccess(database, serverId, userId);
      // What PostgreSQL cannot store is on no list.
      if (!isStorableText(word)) return;
      await changeInTurn(serverId, async (transaction, emit) => {
        if (await deleteWord(transaction, serverId, word)) emitChange(emit, serverId);
      });
    },

    /** The latest entries, newest first. */
    async listLogs(userId: string, serverId: string): Promise<AutomodLogEntry[]> {
      await requireAutomodAccess(database, serverId, userId);
      return (await findLog(database, serverId)).map(toAutomodLogEntry);
    },
  };
}

/** Settings, words and log of a server's auto-moderation; for those who manage it. */
export type AutomodService = ReturnType<typeof createAutomodService>;

/** Tells those who read them that settings of auto-moderation have changed. */
export function emitChange(emit: Emit, serverId: string): void {
  const changed = { server_id: serverId, part: "automod" } as const;
  emit(createEvent("SERVER_SETTINGS_UPDATE", { server_id: serverId }, changed, { readers: "manage_automod" }));
}
