import { errorTexts, type Member, notFound } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import { findMember } from "@parley/moderation";
import type { MemberAccess } from "../../access/may.js";
import { listChunkMax } from "../../platform/http/limits.js";
import type { FairQueue } from "../../platform/load/fair-queue.js";
import type { MemberCounts, ReadMemberCounts } from "./counts.js";
import { findMembers, listStart } from "./page-repository.js";
import { findPlace, type MemberRow } from "./repository.js";
import type { MemberPlace, MemberQuery } from "./schema.js";

/** A page as the JSON text of each member, and where the next page begins. */
export interface MemberPage {
  members: string[];
  next: MemberPlace | null;
}

export function createMemberService(options: { database: Database; queue: FairQueue; counts: ReadMemberCounts }) {
  const { database, queue, counts } = options;

  /** Null for a user without a membership. */
  const startOf = async (
    serverId: string,
    { after, position }: Pick<MemberQuery, "after" | "position">,
  ): Promise<MemberPlace | null> => {
    if (position !== undefined) return { joinedAt: new Date(position.time), userId: position.userId };
    return after === undefined ? listStart : findPlace(database, serverId, after);
  };

  return {
    /** All members of a server in the order in which they joined, in chunks: the JSON text of each. */
    async *listAll({ serverId, userId }: MemberAccess): AsyncGenerator<string[]> {
      for (let after: MemberPlace | null = listStart; after !== null; ) {
        const page = { serverId, after, limit: listChunkMax, filter: {} };
        const rows: MemberRow[] = await queue.run(userId, () => findMembers(database, page));
        after = rows.length < listChunkMax ? null : placeOf(rows.at(-1));
        yield rows.map((row) => row.text);
      }
    },

    async listPage(
      { serverId, userId }: MemberAccess,
      { limit, after, position, ...filter }: MemberQuery,
    ): Promise<MemberPage> {
      const start = await startOf(serverId, { after, position });
      if (start === null) return { members: [], next: null };
      // One more row than the page shows whether there is a next page.
      const page = { serverId, after: start, limit: limit + 1, filter };
      const rows = await queue.run(userId, () => findMembers(database, page));
      const members = rows.slice(0, limit);
      return {
        members: members.map((row) => row.text),
        next: rows.length > limit ? placeOf(members.at(-1)) : null,
      };
    },

    async get({ serverId }: MemberAccess, memberId: string): Promise<Member> {
      const member = await findMember(database, { serverId, userId: memberId });
      if (member === null) throw notFound(errorTexts.member_not_found);
      return member;
    },

    /** Numbers at most 5 seconds old. */
    async count({ serverId, userId }: MemberAccess): Promise<MemberCounts> {
      return counts(userId, serverId);
    },
  };
}

export type MemberService = ReturnType<typeof createMemberService>;

function placeOf(row: MemberRow | undefined): MemberPlace | null {
  return row === undefined ? null : { joinedAt: row.joined_at, userId: row.user_id };
}
