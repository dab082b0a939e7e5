import { ChannelOverride, caps } from "@parley/contracts";
import { defineStatement } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";
import { overrideRoleOf } from "@parley/permissions";
import { z } from "zod";
import type { PutOverride } from "./schema.js";

// An override of the everyone role has neither a role nor a user; its role is read as the server's id.
const columns = `o.id, o.channel_id, o.user_id, o.allow, o.deny,
  ${overrideRoleOf("(SELECT c.server_id FROM channels c WHERE c.id = o.channel_id)")} AS role_id`;

const listStatement = defineStatement({
  name: "override_list",
  text: `SELECT ${columns} FROM channel_overrides o WHERE o.channel_id = $1 ORDER BY o.user_id IS NOT NULL, o.id`,
  row: ChannelOverride,
});

const serverStatement = defineStatement({
  name: "override_list_of_server",
  text: `SELECT ${columns} FROM channel_overrides o
    WHERE o.channel_id IN (SELECT c.id FROM channels c WHERE c.server_id = $1) ORDER BY o.channel_id, o.user_id IS NOT NULL, o.id`,
  row: ChannelOverride,
});

const countStatement = defineStatement({
  name: "override_count",
  text: `SELECT count(*)::integer AS count
    FROM (SELECT FROM channel_overrides WHERE channel_id = $1 LIMIT $4) AS counted
    WHERE NOT EXISTS (
      SELECT FROM channel_overrides
      WHERE channel_id = $1 AND role_id IS NOT DISTINCT FROM $2 AND user_id IS NOT DISTINCT FROM $3)`,
  row: z.object({ count: z.int() }),
});

const putStatement = defineStatement({
  name: "override_put",
  text: `INSERT INTO channel_overrides AS o (channel_id, role_id, user_id, allow, deny) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (channel_id, role_id, user_id) DO UPDATE SET allow = excluded.allow, deny = excluded.deny
    RETURNING ${columns}`,
  row: ChannelOverride,
});

/** Whom an override is stored for: a role, a user or, with neither, the everyone role. */
export interface OverrideTarget {
  roleId: string | null;
  userId: string | null;
}

/** Overrides of a channel, those of roles first, each kind in order of creation. */
export function findOverrides(connection: Queryable, channelId: string): Promise<ChannelOverride[]> {
  return connection.query(listStatement, [channelId]);
}

/** Overrides of all channels of a server. */
export function findServerOverrides(connection: Queryable, serverId: string): Promise<ChannelOverride[]> {
  return connection.query(serverStatement, [serverId]);
}

/** How many overrides a channel has, counted up to the cap; 0 when the target has one, which is then replaced. */
export async function countBesides(
  transaction: Transaction,
  channelId: string,
  { roleId, userId }: OverrideTarget,
): Promise<number> {
  const [row] = await transaction.query(countStatement, [channelId, roleId, userId, caps.overrides.max]);
  return row?.count ?? 0;
}

/** Creates the override of a target, or replaces its bits: its id stays. */
export async function putOverride(
  transaction: Transaction,
  channelId: string,
  { roleId, userId }: OverrideTarget,
  { allow, deny }: Pick<PutOverride, "allow" | "deny">,
): Promise<ChannelOverride> {
  const [override] = await transaction.query(putStatement, [channelId, roleId, userId, allow, deny]);
  if (override === undefined) throw new Error("An override was stored and not returned");
  return override;
}

export async function hasOverride({ prisma }: Queryable, channelId: string, overrideId: string): Promise<boolean> {
  return (await prisma.channelOverride.count({ where: { id: overrideId, channel_id: channelId } })) > 0;
}

export async function deleteOverride({ prisma }: Transaction, overrideId: string): Promise<void> {
  await prisma.channelOverride.delete({ where: { id: overrideId } });
}
