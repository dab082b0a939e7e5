import { Member } from "@parley/contracts";
import { defineStatement, jsonTime, type Transaction, withUserMarks } from "@parley/database";
import { z } from "zod";

/**
 * SQL to be joined to a select of members `m`, for {@link memberText}. PostgreSQL writes the JSON, so a long list makes
 * no objects in this process. The limit keeps the planner from reading all accounts for
 * a page.
 */
export const memberObject = `CROSS JOIN LATERAL (
    SELECT m.user_id, u.username, u.avatar_url, u.status, u.custom_status, u.activity, m.nickname,
      ${jsonTime("m.joined_at")} AS joined_at,
      (SELECT ${jsonTime("t.expires_at")} FROM timeouts t
        WHERE t.server_id = m.server_id AND t.user_id = m.user_id AND t.expires_at > now()
      ) AS timeout_expires_at,
      coalesce((
        SELECT json_agg(row_to_json(role) ORDER BY role.position DESC, role.id)
        FROM (
          SELECT r.id, r.name, r.color, r.position FROM member_roles mr JOIN roles r ON r.id = mr.role_id
          WHERE mr.server_id = m.server_id AND mr.user_id = m.user_id) AS role), '[]') AS roles
    FROM users u WHERE u.id = m.user_id LIMIT 1) AS member`;

/** SQL for the text of a member's object (docs/protocol/objects.md#4.7), where {@link memberObject} is joined. */
export const memberText = withUserMarks("row_to_json(member)", "m.user_id");

const memberStatement = defineStatement({
  name: "member_find",
  text: `SELECT ${memberText} AS text FROM members m ${memberObject}
    WHERE m.server_id = $1 AND m.user_id = $2`,
  row: z.object({ text: z.string() }),
});

/** A member; null for non-members. */
export async function findMember(
  connection: Pick<Transaction, "query">,
  { serverId, userId }: { serverId: string; userId: string },
): Promise<Member | null> {
  const [row] = await connection.query(memberStatement, [serverId, userId]);
  return row === undefined ? null : Member.parse(JSON.parse(row.text));
}
