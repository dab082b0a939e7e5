import type { Safety } from "@parley/contracts";
import { defineStatement } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";
import { z } from "zod";
import { safetyColumn, writerSafety } from "../../access/safety-repository.js";
import type { UpdateSafety } from "./schema.js";

/** The settings of a server that has changed none. */
const defaults: Safety = {
  min_account_age_minutes: 0,
  min_membership_minutes: 0,
  require_verified_email: false,
  rules: null,
  rules_for_all: false,
  raid_shield: false,
  raid_joins_per_minute: 60,
  raid_new_accounts_hours: 24,
  raid_minutes: 30,
};

const select = {
  min_account_age_minutes: true,
  min_membership_minutes: true,
  require_verified_email: true,
  rules: true,
  rules_for_all: true,
  raid_shield: true,
  raid_joins_per_minute: true,
  raid_new_accounts_hours: true,
  raid_minutes: true,
} as const satisfies Record<keyof Safety, true>;

/** A server has had rules since the first text, also if another one has replaced it. */
const rulesStatement = defineStatement({
  name: "safety_rules",
  text: `UPDATE server_safety SET rules = $2::text, rules_version = rules_version + 1,
      rules_since = CASE WHEN $2::text IS NULL THEN NULL ELSE coalesce(rules_since, now()) END
    WHERE server_id = $1 AND rules IS DISTINCT FROM $2::text`,
});

const ofMemberStatement = defineStatement({
  name: "safety_of_member",
  text: `SELECT (SELECT f.rules FROM server_safety f WHERE f.server_id = m.server_id) AS rules, ${safetyColumn("m.user_id")}
    FROM members m WHERE m.server_id = $1 AND m.user_id = $2`,
  row: z.object({ rules: z.string().nullable(), safety: writerSafety.nullable() }),
});

const acceptStatement = defineStatement({
  name: "safety_accept_rules",
  text: `UPDATE members m SET accepted_rules = f.rules_version FROM server_safety f
    WHERE m.server_id = $1 AND m.user_id = $2 AND f.server_id = m.server_id AND f.rules IS NOT NULL
      AND m.accepted_rules IS DISTINCT FROM f.rules_version`,
});

export async function findSafety({ prisma }: Queryable, serverId: string): Promise<Safety> {
  return (await prisma.serverSafety.findUnique({ where: { server_id: serverId }, select })) ?? defaults;
}

/** The server is locked. @returns whether the text of the rules has changed as well */
export async function updateSafety(
  transaction: Transaction,
  serverId: string,
  { rules, ...settings }: UpdateSafety,
): Promise<boolean> {
  await transaction.prisma.serverSafety.upsert({
    where: { server_id: serverId },
    create: { server_id: serverId, ...settings },
    update: settings,
  });
  return rules !== undefined && (await transaction.execute(rulesStatement, [serverId, rules])) > 0;
}

/** The rules, and the data that decides whether the member is to accept them; undefined for non-members. */
export async function findRules(connection: Queryable, serverId: string, userId: string) {
  const [found] = await connection.query(ofMemberStatement, [serverId, userId]);
  return found;
}

/** Changes nothing where the member has accepted the text, or there is none. */
export async function acceptRules(connection: Queryable, serverId: string, userId: string): Promise<void> {
  await connection.execute(acceptStatement, [serverId, userId]);
}
