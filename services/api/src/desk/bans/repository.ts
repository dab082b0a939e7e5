import { defineStatement } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";
import { z } from "zod";
import { listChunkMax } from "../../platform/http/limits.js";

const banRow = z.object({
  server_id: z.string(),
  user_id: z.string(),
  banned_by: z.string().nullable(),
  reason: z.string().nullable(),
  created_at: z.date(),
  expires_at: z.date().nullable(),
});
export type BanRow = z.infer<typeof banRow>;

const listStatement = defineStatement({
  name: "ban_list",
  text: `SELECT server_id, user_id, banned_by, reason, created_at, expires_at FROM bans
    WHERE server_id = $1 AND (created_at, user_id) < ($2::timestamptz, $3::uuid)
    ORDER BY created_at DESC, user_id DESC LIMIT $4`,
  row: banRow,
});

/** Where a ban stands in the list of its server. */
export type BanPlace = Pick<BanRow, "created_at" | "user_id">;

/** Before the newest ban of every server. */
export const listStart: BanPlace = {
  created_at: new Date("9999-12-31T00:00:00.000Z"),
  user_id: "ffffffff-ffff-ffff-ffff-ffffffffffff",
};

/** The next bans of a server after one, newest first. */
export function findBans(connection: Queryable, serverId: string, after: BanPlace): Promise<BanRow[]> {
  return connection.query(listStatement, [serverId, after.created_at, after.user_id, listChunkMax]);
}
