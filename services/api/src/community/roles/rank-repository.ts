import { defineStatement } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";
import { z } from "zod";

const positionsStatement = defineStatement({
  name: "moderation_target_positions",
  text: `SELECT ARRAY(
      SELECT r.position FROM member_roles mr JOIN roles r ON r.id = mr.role_id
      WHERE mr.server_id = m.server_id AND mr.user_id = m.user_id) AS positions
    FROM members m WHERE m.server_id = $1 AND m.user_id = $2`,
  row: z.object({ positions: z.array(z.int()) }),
});

/** Positions of the roles of a member; null for a user without a membership. */
export async function findRolePositions(
  connection: Queryable,
  { server_id, user_id }: { server_id: string; user_id: string },
): Promise<number[] | null> {
  const [row] = await connection.query(positionsStatement, [server_id, user_id]);
  return row?.positions ?? null;
}
