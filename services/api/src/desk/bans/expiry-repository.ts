import { defineStatement, serverExists } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";
import type { Membership } from "@parley/moderation";
import { z } from "zod";
import { memberKey } from "../../platform/jobs/resting-rows.js";

const expiredStatement = defineStatement({
  name: "expired_bans",
  text: `SELECT b.server_id, b.user_id FROM bans b
    WHERE b.expires_at <= now() AND ${serverExists("b.server_id")} AND ${memberKey("b")} <> ALL ($2)
    ORDER BY b.expires_at LIMIT $1`,
  row: z
    .object({ server_id: z.string(), user_id: z.string() })
    .transform(({ server_id, user_id }): Membership => ({ serverId: server_id, userId: user_id })),
});

/** Some of the expired bans, the oldest expiry first. @param except keys of bans to skip */
export function findExpiredBans(connection: Queryable, size: number, except: readonly string[]): Promise<Membership[]> {
  return connection.query(expiredStatement, [size, except]);
}
