import { caps } from "@parley/contracts";
import { defineStatement } from "@parley/database";
import type { Transaction } from "@parley/database/prisma";
import { channelRuleOf } from "@parley/permissions";
import { z } from "zod";
import { type ChannelRow, channelColumns, channelRow } from "../../access/repository.js";
import type { CreateChannel, UpdateChannel } from "./schema.js";

const insertStatement = defineStatement({
  name: "channel_create",
  text: `INSERT INTO channels AS c (server_id, name, type, topic, category, position)
    VALUES ($1, $2, $3, $4, $5, (SELECT coalesce(max(least(position, 2147483646)) + 1, 0) FROM channels WHERE server_id = $1))
    RETURNING ${channelColumns}`,
  row: channelRow,
});

const ruleStatement = defineStatement({
  name: "channel_rule",
  text: `SELECT coalesce(${channelRuleOf({ channel: "c.id", everyone: "s.everyone_permissions" })}, '') AS rule
    FROM channels c JOIN servers s ON s.id = c.server_id
    WHERE c.id = $1`,
  row: z.object({ rule: z.string() }),
});

/** The view rule of a channel, for the event of its deletion; empty for every member. */
export async function findViewRule(transaction: Transaction, channelId: string): Promise<string> {
  const [row] = await transaction.query(ruleStatement, [channelId]);
  return row?.rule ?? "";
}

/** How many channels a server has, counted up to the cap. */
export function countChannels({ prisma }: Transaction, serverId: string): Promise<number> {
  return prisma.channel.count({ where: { server_id: serverId }, take: caps.channels.max });
}

/** Stores a channel behind the others of its server. @returns undefined when the server is gone */
export async function insertChannel(
  transaction: Transaction,
  serverId: string,
  { name, type = "text", topic = null, category = null }: CreateChannel,
): Promise<ChannelRow | undefined> {
  const [row] = await transaction.query(insertStatement, [serverId, name, type, topic, category]);
  return row;
}

export function updateChannel(
  { prisma }: Transaction,
  channelId: string,
  data: Omit<UpdateChannel, "type">,
): Promise<ChannelRow> {
  return prisma.channel.update({ where: { id: channelId }, data });
}

export async function deleteChannel({ prisma }: Transaction, channelId: string): Promise<void> {
  await prisma.channel.delete({ where: { id: channelId }, select: { id: true } });
}
