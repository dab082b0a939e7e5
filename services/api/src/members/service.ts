import { Member } from "@parley/contracts";
import { type Database, defineStatement } from "@parley/database";
import { z } from "zod";
import { requireMember } from "../access/server-access.js";

export interface MemberService {
  /** All members of a server, in the order in which they joined. */
  list(userId: string, serverId: string): Promise<Member[]>;
}

const listStatement = defineStatement({
  name: "member_list",
  text: `SELECT m.user_id, u.username, u.avatar_url, u.status, u.custom_status, u.activity, m.nickname, m.joined_at,
      t.expires_at AS timeout_expires_at,
      coalesce((
        SELECT json_agg(json_build_object('id', r.id, 'name', r.name, 'color', r.color, 'position', r.position)
          ORDER BY r.position DESC, r.id)
        FROM member_roles mr JOIN roles r ON r.id = mr.role_id
        WHERE mr.server_id = m.server_id AND mr.user_id = m.user_id), '[]') AS roles
    FROM members m
    JOIN users u ON u.id = m.user_id
    LEFT JOIN timeouts t ON t.server_id = m.server_id AND t.user_id = m.user_id AND t.expires_at > now()
    WHERE m.server_id = $1
    ORDER BY m.joined_at, m.user_id`,
  row: Member.extend({
    joined_at: z.date().transform((date) => date.toISOString()),
    timeout_expires_at: z
      .date()
      .nullable()
      .transform((date) => date?.toISOString() ?? null),
  }),
});

export function createMemberService({ database }: { database: Database }): MemberService {
  return {
    async list(userId, serverId) {
      await requireMember(database, serverId, userId);
      return database.query(listStatement, [serverId]);
    },
  };
}
