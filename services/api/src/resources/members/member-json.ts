import { jsonTime } from "@parley/database";
import { z } from "zod";

/**
 * A member as JSON (docs/interface.md#4.7); PostgreSQL writes it, so a long list makes no objects in this process. The
 * limit keeps the planner from reading all accounts for a page.
 */
export const memberJson = `CROSS JOIN LATERAL (
    SELECT m.user_id, u.username, u.avatar_url, u.status, u.custom_status, u.activity, m.nickname,
      ${jsonTime("m.joined_at")} AS joined_at,
      (SELECT ${jsonTime("t.expires_at")} FROM timeouts t
        WHERE t.server_id = m.server_id AND t.user_id = m.user_id AND t.expires_at > now()) AS timeout_expires_at,
      coalesce((
        SELECT json_agg(row_to_json(role) ORDER BY role.position DESC, role.id)
        FROM (
          SELECT r.id, r.name, r.color, r.position FROM member_roles mr JOIN roles r ON r.id = mr.role_id
          WHERE mr.server_id = m.server_id AND mr.user_id = m.user_id) AS role), '[]') AS roles
    FROM users u WHERE u.id = m.user_id LIMIT 1) AS member`;

/** Of a select with {@link memberJson} as `text`. */
export const memberRow = z.object({ text: z.string(), joined_at: z.date(), user_id: z.string() });
/** A member's JSON text and place in the list. */
export type MemberRow = z.infer<typeof memberRow>;
