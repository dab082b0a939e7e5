import { errorTexts, forbidden, type HistoryEntry, notFound } from "@parley/contracts";
import { isForeignKeyViolation } from "@parley/database";
import type { Database } from "@parley/database/prisma";
import { hasPermission, hasRight } from "@parley/permissions";
import type { MemberAccess, Subresource } from "../../access/may.js";
import type { Need } from "../../access/needs.js";
import { deleteNote, findHistory, findNote, type HistoryAddress, insertNote } from "./repository.js";
import type { HistoryQuery } from "./schema.js";

export function createMemberHistory({ database }: { database: Database }) {
  return {
    /** The actions that concern a user in a server, member or not any more. */
    list(address: HistoryAddress, query: HistoryQuery): Promise<HistoryEntry[]> {
      return findHistory(database, address, query);
    },

    async addNote(userId: string, address: HistoryAddress, text: string): Promise<HistoryEntry> {
      try {
        const { id, created_at } = await insertNote(database, { ...address, author_id: userId, text });
        return { type: "note", id, actor_id: userId, reason: text, details: {}, created_at: created_at.toISOString() };
      } catch (error) {
        throw isForeignKeyViolation(error) ? notFound(errorTexts.user_not_found) : error;
      }
    },

    async deleteNote(
      { userId, isOwner }: MemberAccess,
      { note_id, ...address }: HistoryAddress & { note_id: string },
    ): Promise<void> {
      const note = await findNote(database, address, note_id);
      if (note === null) throw notFound(errorTexts.note_not_found);
      if (!isOwner && note.author_id !== userId) throw forbidden(errorTexts.note_author_only);
      await deleteNote(database, note_id);
    },
  };
}

/** The actions that concern a member, and the notes of moderators. */
export type MemberHistory = ReturnType<typeof createMemberHistory>;

/** The right to the history of another member. */
export const moderate: Need = {
  right: "KICK_MEMBERS, BAN_MEMBERS, MUTE_MEMBERS or view_audit_log",
  refusal: errorTexts.missing_permission,
  moderates: () => true,
  isMet: ({ permissions, rights }) =>
    hasPermission(permissions, "KICK_MEMBERS") ||
    hasPermission(permissions, "BAN_MEMBERS") ||
    hasPermission(permissions, "MUTE_MEMBERS") ||
    hasRight(rights, "view_audit_log"),
};

/** Nobody reads notes about themselves, moderators and the owner neither. */
export const anotherMember: Subresource<MemberAccess, HistoryAddress, undefined> = {
  missing: [],
  async find(_connection, { userId }, { user_id }) {
    if (user_id === userId) throw forbidden(errorTexts.missing_permission);
  },
};
