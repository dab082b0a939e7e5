import { ChannelOverride, caps } from "@parley/contracts";
import { defineStatement } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";
import { z } from "zod";
import type { PutOverride } from "./schema.js";

const columns = "id, channel_id, role_id, user_id, allow, deny";

const listStatement = defineStatement({
  name: "override_list",
  text: `SELECT ${columns} FROM channel_overrides WHERE channel_id = $1 ORDER BY role_id IS NULL, id`,
  row: ChannelOverride,
});

const countStatement = (target: PutOverride["target"]) =>
  defineStatement({
    name: `override_count_${target}`,
    text: `SELECT count(*)::integer AS count
      FROM (SELECT FROM channel_overrides WHERE channel_id = $1 LIMIT $3) AS counted
      WHERE NOT EXISTS (SELECT FROM channel_overrides WHERE channel_id = $1 AND ${target} = $2)`,
    row: z.object({ count: z.int() }),
  });
const countStatements = { role_id: countStatement("role_id"), user_id: countStatement("user_id") };

const putStatement = (target: PutOverride["target"]) =>
  defineStatement({
    name: `override_put_${target}`,
    text: `INSERT INTO channel_overrides (channel_id, ${target}, allow, deny) VALUES ($1, $2, $3, $4)
      ON CONFLICT (channel_id, ${target}) DO UPDATE SET allow = excluded.allow, deny = excluded.deny
      RETURNING ${columns}`,
    row: ChannelOverride,
  });
const putStatements = { role_id: putStatement("role_id"), user_id: putStatement("user_id") };

/** Overrides of a channel, those of roles first, each kind in order of creation. */
export function findOverrides(connection: Queryable, channelId: string): Promise<ChannelOverride[]> {
  return connection.query(listStatement, [channelId]);
}

/** How many overrides a channel has, counted up to the cap; 0 when the target has one, which is then replaced. */
export async function countBesides(
  transaction: Transaction,
  channelId: string,
  { target, targetId }: Pick<PutOverride, "target" | "targetId">,
): Promise<number> {
  const [row] = await transaction.query(countStatements[target], [channelId, targetId, caps.overrides.max]);
  return row?.count ?? 0;
}

/** Creates the override of a target, or replaces its bits: its id stays. */
export async function putOverride(
  transaction: Transaction,
  channelId: string,
  { target, targetId, allow, deny }: PutOverride,
): Promise<ChannelOverride> {
  const [override] = await transaction.query(putStatements[target], [channelId, targetId, allow, deny]);
  if (override === undefined) throw new Error("An override was stored and not returned");
  return override;
}

export async function hasOverride({ prisma }: Queryable, channelId: string, overrideId: string): Promise<boolean> {
  return (await prisma.channelOverride.count({ where: { id: overrideId, channel_id: channelId } })) > 0;
}

export async function deleteOverride({ prisma }: Transaction, overrideId: string): Promise<void> {
  await prisma.channelOverride.delete({ where: { id: overrideId } });
}
