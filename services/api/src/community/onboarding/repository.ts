import { ChannelOverride, Onboarding } from "@parley/contracts";
import { defineStatement } from "@parley/database";
import type { Queryable, Role, Transaction } from "@parley/database/prisma";
import { overrideRoleOf } from "@parley/permissions";

/** What a server asks; null where nobody has written it. */
export async function findOnboarding({ prisma }: Queryable, serverId: string): Promise<Onboarding | null> {
  const row = await prisma.serverOnboarding.findUnique({ where: { server_id: serverId } });
  return row === null ? null : Onboarding.parse(row);
}

export async function putOnboarding({ prisma }: Transaction, serverId: string, data: Onboarding): Promise<void> {
  await prisma.serverOnboarding.upsert({
    where: { server_id: serverId },
    create: { server_id: serverId, ...data },
    update: data,
    select: { server_id: true },
  });
}

/** Those of the roles that the server has. */
export function findRolesOf({ prisma }: Queryable, serverId: string, roleIds: readonly string[]): Promise<Role[]> {
  return prisma.role.findMany({ where: { server_id: serverId, id: { in: [...roleIds] } } });
}

/** Ids of those of the channels that the server has. */
export async function findChannelsOf(
  { prisma }: Queryable,
  serverId: string,
  channelIds: readonly string[],
): Promise<Set<string>> {
  const where = { server_id: serverId, id: { in: [...channelIds] } };
  return new Set((await prisma.channel.findMany({ where, select: { id: true } })).map(({ id }) => id));
}

/** What a member has by answers alone. */
export interface Gifts {
  role_ids: string[];
  channel_ids: string[];
}

export async function findGifts({ prisma }: Queryable, serverId: string, userId: string): Promise<Gifts> {
  const where = { server_id_user_id: { server_id: serverId, user_id: userId } };
  return (await prisma.onboardingGift.findUnique({ where })) ?? { role_ids: [], channel_ids: [] };
}

export async function putGifts({ prisma }: Transaction, serverId: string, userId: string, gifts: Gifts): Promise<void> {
  const key = { server_id: serverId, user_id: userId };
  await prisma.onboardingGift.upsert({
    where: { server_id_user_id: key },
    create: { ...key, ...gifts },
    update: gifts,
    select: { server_id: true },
  });
}

const ownOverrideStatement = defineStatement({
  name: "onboarding_override",
  text: `SELECT o.id, o.channel_id, o.user_id, o.allow, o.deny, ${overrideRoleOf("c.server_id")} AS role_id
    FROM channel_overrides o JOIN channels c ON c.id = o.channel_id
    WHERE o.channel_id = $1 AND o.user_id = $2`,
  row: ChannelOverride,
});

/** The override of a channel for a user. */
export async function findUserOverride(
  transaction: Transaction,
  channelId: string,
  userId: string,
): Promise<ChannelOverride | undefined> {
  const [override] = await transaction.query(ownOverrideStatement, [channelId, userId]);
  return override;
}
