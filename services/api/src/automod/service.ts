import {
  type AutomodConfig,
  type AutomodLogEntry,
  type AutomodWord,
  isStorableText,
  notFound,
} from "@parley/contracts";
import { type Database, isForeignKeyViolation } from "@parley/database";
import { findServerAccess, requireOwner } from "../access/server-access.js";
import { logEntriesMax } from "./limits.js";
import { toAutomodConfig, toAutomodLogEntry, toAutomodWord } from "./resource.js";
import type { UpdateConfig } from "./schema.js";
import { addWord, removeWord } from "./words.js";

/** Settings, words and log of a server's auto-moderation; for its owner only. */
export interface AutomodService {
  get(userId: string, serverId: string): Promise<AutomodConfig>;
  update(userId: string, serverId: string, changes: UpdateConfig): Promise<AutomodConfig>;
  /** In the order of insertion. */
  listWords(userId: string, serverId: string): Promise<AutomodWord[]>;
  /** A word that is there already stays as it is. */
  addWord(userId: string, serverId: string, word: string): Promise<AutomodWord>;
  removeWord(userId: string, serverId: string, word: string): Promise<void>;
  /** The latest entries, newest first. */
  listLogs(userId: string, serverId: string): Promise<AutomodLogEntry[]>;
}

/** Text of the 403, which non-members get as well (docs/interface.md#11.1). */
export const ownerOnly = "Only the server owner can manage automod";

export function createAutomodService({ database }: { database: Database }): AutomodService {
  const requireOwnership = async (userId: string, serverId: string) => {
    const access = await findServerAccess(database, serverId, userId);
    if (access === null) throw notFound("Server not found");
    requireOwner(access, ownerOnly);
  };

  return {
    async get(userId, serverId) {
      await requireOwnership(userId, serverId);
      const row = await database.prisma.automodConfig.findUnique({ where: { server_id: serverId } });
      if (row === null) throw notFound("No automod configuration");
      return toAutomodConfig(row);
    },

    async update(userId, serverId, changes) {
      await requireOwnership(userId, serverId);
      try {
        const row = await database.prisma.automodConfig.upsert({
          where: { server_id: serverId },
          create: { server_id: serverId, ...changes },
          update: { ...changes, updated_at: new Date() },
        });
        return toAutomodConfig(row);
      } catch (error) {
        if (isForeignKeyViolation(error)) throw notFound("Server not found");
        throw error;
      }
    },

    async listWords(userId, serverId) {
      await requireOwnership(userId, serverId);
      const rows = await database.prisma.automodWord.findMany({
        where: { server_id: serverId },
        orderBy: { id: "asc" },
      });
      return rows.map(toAutomodWord);
    },

    async addWord(userId, serverId, word) {
      await requireOwnership(userId, serverId);
      return toAutomodWord(await addWord(database, { serverId, word, createdBy: userId }));
    },

    async removeWord(userId, serverId, word) {
      await requireOwnership(userId, serverId);
      // What PostgreSQL cannot store is on no list.
      if (isStorableText(word)) await removeWord(database, serverId, word);
    },

    async listLogs(userId, serverId) {
      await requireOwnership(userId, serverId);
      const rows = await database.prisma.automodLog.findMany({
        where: { server_id: serverId },
        orderBy: [{ created_at: "desc" }, { id: "desc" }],
        take: logEntriesMax,
      });
      return rows.map(toAutomodLogEntry);
    },
  };
}
