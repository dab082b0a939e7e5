import {
  AutomodConfig,
  AutomodLogEntry,
  type AutomodWord,
  caps,
  errorTexts,
  isStorableText,
  notFound,
} from "@parley/contracts";
import type {
  AutomodConfig as ConfigRow,
  Database,
  AutomodLog as LogRow,
  AutomodWord as WordRow,
} from "@parley/database/prisma";
import { requireBelowCap } from "../../access/caps.js";
import type { InServer } from "../../access/may.js";
import { isEmptyChange } from "../../platform/http/empty-change.js";
import { emitAutomodChange } from "./access.js";
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

/** A configuration as it goes over the wire (docs/protocol/objects.md#4.24). */
function toAutomodConfig(row: ConfigRow): AutomodConfig {
  return AutomodConfig.parse({ ...row, updated_at: row.updated_at.toISOString() });
}

/** A filtered word as it goes over the wire (docs/protocol/objects.md#4.25). */
function toAutomodWord({ id, server_id, word, created_by, created_at }: WordRow): AutomodWord {
  return { id, server_id, word, created_by, created_at: created_at.toISOString() };
}

/** A log entry as it goes over the wire (docs/protocol/objects.md#4.25). */
function toAutomodLogEntry(row: LogRow): AutomodLogEntry {
  return AutomodLogEntry.parse({ ...row, rule_id: row.rule_id ?? undefined, created_at: row.created_at.toISOString() });
}

export function createAutomodService({ database }: { database: Database }) {
  return {
    async get(serverId: string): Promise<AutomodConfig> {
      const row = await findConfig(database, serverId);
      if (row === null) throw notFound(errorTexts.automod_not_configured);
      return toAutomodConfig(row);
    },

    async update(may: InServer, changes: UpdateConfig): Promise<AutomodConfig> {
      const isEmpty = isEmptyChange(changes);
      const row = await may.change(async ({ transaction, emit, access: { serverId } }) => {
        const before = isEmpty ? await findConfig(transaction, serverId) : null;
        if (before !== null) return before;
        const config = await putConfig(transaction, serverId, changes);
        if (!isEmpty) emitAutomodChange(emit, serverId);
        return config;
      });
      return toAutomodConfig(row);
    },

    /** In the order of insertion. */
    async listWords(serverId: string): Promise<AutomodWord[]> {
      return (await findWords(database, serverId)).map(toAutomodWord);
    },

    /** A word that is there already stays as it is. */
    async addWord(may: InServer, word: string): Promise<AutomodWord> {
      const row = await may.change(async ({ transaction, emit, access: { serverId, userId } }) => {
        const found = await findWord(transaction, serverId, word);
        if (found !== undefined) return found;
        requireBelowCap(caps.words, await countWords(transaction, serverId));
        const added = await insertWord(transaction, serverId, { word, createdBy: userId });
        if (added === undefined) throw notFound(errorTexts.server_not_found);
        emitAutomodChange(emit, serverId);
        return added;
      });
      return toAutomodWord(row);
    },

    async removeWord(may: InServer, word: string): Promise<void> {
      await may.change(async ({ transaction, emit, access: { serverId } }) => {
        // A word that PostgreSQL cannot store is on no list.
        if (!isStorableText(word)) return;
        if (await deleteWord(transaction, serverId, word)) emitAutomodChange(emit, serverId);
      });
    },

    /** The latest entries, newest first. */
    async listLogs(serverId: string): Promise<AutomodLogEntry[]> {
      return (await findLog(database, serverId)).map(toAutomodLogEntry);
    },
  };
}

/** Settings, words and log of a server's auto-moderation; for those who manage it. */
export type AutomodService = ReturnType<typeof createAutomodService>;
