import { errorTexts, forbidden, type HistoryEntry, notFound } from "@parley/contracts";
import { isForeignKeyViolation } from "@parley/database";
import type { Database } from "@parley/database/prisma";
import { hasPermission, hasRight } from "@parley/permissions";
import type { ServerAccess } from "../../access/repository.js";
import { requireMember } from "../../access/server-access.js";
import { deleteNote, findHistory, findNote, type HistoryAddress, insertNote } from "./repository.js";
import type { HistoryQuery } from "./schema.js";

export function createMemberHistory({ database }: { database: Database }) {
  /** Nobody reads what is noted about themselves, moderators and the owner neither. */
  const requireReader = async (userId: string, { server_id, user_id }: HistoryAddress): Promise<ServerAccess> => {
    const access = await requireMember(database, server_id, userId);
    if (user_id === userId || !mayRead(access)) throw forbidden(errorTexts.missing_permission);
    return access;
  };

  return {
    /** What was done about a user in a server, member or not any more. */
    async list(userId: string, address: HistoryAddress, query: HistoryQuery): Promise<HistoryEntry[]> {
      await requireReader(userId, address);
      return findHistory(database, address, query);
    },

    async addNote(userId: string, address: HistoryAddress, text: string): Promise<HistoryEntry> {
      await requireReader(userId, address);
      try {
        const { id, created_at } = await insertNote(database, { ...address, author_id: userId, text });
        return { type: "note", id, actor_id: userId, reason: text, details: {}, created_at: created_at.toISOString() };
      } catch (error) {
        throw isForeignKeyViolation(error) ? notFound(errorTexts.user_not_found) : error;
      }
    },

    async deleteNote(userId: string, { note_id, ...address }: HistoryAddress & { note_id: string }): Promise<void> {
      const { isOwner } = await requireReader(userId, address);
      const note = await findNote(database, address, note_id);
      if (note === null) throw notFound(errorTexts.note_not_found);
      if (!isOwner && note.author_id !== userId) throw forbidden(errorTexts.note_author_only);
      await deleteNote(database, note_id);
    },
  };
}

/** What was done about a member, and what moderators note beside it. */
export type MemberHistory = ReturnType<typeof createMemberHistory>;

function mayRead({ permissions, rights }: ServerAccess): boolean {
  return (
    hasPermission(permissions, "KICK_MEMBERS") ||
    hasPermission(permissions, "BAN_MEMBERS") ||
    hasPermission(permissions, "MUTE_MEMBERS") ||
    hasRight(rights, "view_audit_log")
  );
}
