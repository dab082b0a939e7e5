import { AutomodRuleAction, AutomodTrigger, rulesPerServerMax } from "@parley/contracts";
import { defineStatement } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";
import { z } from "zod";

/** A rule below its server's path. */
export interface RuleAddress {
  server_id: string;
  rule_id: string;
}

/** The columns of a rule that its maker chooses. */
export interface RuleFields {
  name: string;
  enabled: boolean;
  trigger: AutomodTrigger;
  exempt_role_ids: string[];
  exempt_channel_ids: string[];
  actions: AutomodRuleAction[];
  word_count: number;
  pattern_sizes: number[];
}

const columns = `id, server_id, name, enabled, trigger, exempt_role_ids, exempt_channel_ids, actions, created_by,
  created_at, updated_at, word_count, pattern_sizes`;
const row = z.object({
  id: z.string(),
  server_id: z.string(),
  name: z.string(),
  enabled: z.boolean(),
  trigger: AutomodTrigger,
  exempt_role_ids: z.array(z.string()),
  exempt_channel_ids: z.array(z.string()),
  actions: z.array(AutomodRuleAction),
  created_by: z.string().nullable(),
  created_at: z.date(),
  updated_at: z.date(),
  word_count: z.int(),
  pattern_sizes: z.array(z.int()),
});
export type RuleRow = z.infer<typeof row>;

const listStatement = defineStatement({
  name: "automod_rule_list",
  text: `SELECT ${columns} FROM automod_rules WHERE server_id = $1 ORDER BY id LIMIT ${rulesPerServerMax}`,
  row,
});

const findStatement = defineStatement({
  name: "automod_rule_find",
  text: `SELECT ${columns} FROM automod_rules WHERE server_id = $1 AND id = $2`,
  row,
});

const insertStatement = defineStatement({
  name: "automod_rule_insert",
  text: `INSERT INTO automod_rules (server_id, name, enabled, trigger, exempt_role_ids, exempt_channel_ids, actions,
      word_count, pattern_sizes, created_by, created_at, updated_at)
    VALUES ($1, $2, $3, $4::jsonb, $5::uuid[], $6::uuid[], $7::jsonb, $8, $9::int[], $10, coalesce($11, now()), coalesce($12, now()))
    RETURNING ${columns}`,
  row,
});

const updateStatement = defineStatement({
  name: "automod_rule_update",
  text: `UPDATE automod_rules SET name = $3, enabled = $4, trigger = $5::jsonb, exempt_role_ids = $6::uuid[],
      exempt_channel_ids = $7::uuid[], actions = $8::jsonb, word_count = $9, pattern_sizes = $10::int[],
      updated_at = now()
    WHERE server_id = $1 AND id = $2 RETURNING ${columns}`,
  row,
});

const deleteStatement = defineStatement({
  name: "automod_rule_delete",
  text: "DELETE FROM automod_rules WHERE server_id = $1 AND id = $2",
});

/** The totals of a server's rules, without the rule that changes. */
const totalsStatement = defineStatement({
  name: "automod_rule_totals",
  text: `SELECT count(*)::int AS rules, coalesce(sum(word_count), 0)::int AS words,
      coalesce(sum((SELECT sum(size) FROM unnest(pattern_sizes) size)), 0)::int AS pattern_size
    FROM automod_rules WHERE server_id = $1 AND id IS DISTINCT FROM $2`,
  row: z.object({ rules: z.int(), words: z.int(), pattern_size: z.int() }),
});

/** A statement after the change, so that it sees it; the server is locked, so each version has exactly one content. */
const versionStatement = defineStatement({
  name: "automod_rules_version",
  text: `UPDATE servers SET automod_rules_version = automod_rules_version + 1,
      automod_rule_types = ARRAY(
        SELECT DISTINCT trigger ->> 'type' FROM automod_rules WHERE server_id = $1 AND enabled ORDER BY 1)
    WHERE id = $1`,
});

const currentStatement = defineStatement({
  name: "automod_rules_current",
  text: "SELECT automod_rules_version AS version FROM servers WHERE id = $1",
  row: z.object({ version: z.int() }),
});

/** The rules of a server, oldest first. */
export function findRules(connection: Queryable, serverId: string): Promise<RuleRow[]> {
  return connection.query(listStatement, [serverId]);
}

export async function findRule(connection: Queryable, { server_id, rule_id }: RuleAddress) {
  const [found] = await connection.query(findStatement, [server_id, rule_id]);
  return found;
}

export async function findTotals(connection: Queryable, serverId: string, withoutId: string | null) {
  const [totals] = await connection.query(totalsStatement, [serverId, withoutId]);
  return totals ?? { rules: 0, words: 0, pattern_size: 0 };
}

/** The version of a server's rules; 0 when the server is gone. */
export async function findVersion(connection: Queryable, serverId: string): Promise<number> {
  const [current] = await connection.query(currentStatement, [serverId]);
  return current?.version ?? 0;
}

const valuesOf = (rule: RuleFields) => [
  rule.name,
  rule.enabled,
  JSON.stringify(rule.trigger),
  rule.exempt_role_ids,
  rule.exempt_channel_ids,
  JSON.stringify(rule.actions),
  rule.word_count,
  rule.pattern_sizes,
];

/** @param made.createdAt now where left out, as `updatedAt` */
export async function insertRule(
  connection: Queryable,
  serverId: string,
  rule: RuleFields,
  made: { by: string | null; createdAt?: Date; updatedAt?: Date },
) {
  const times = [made.createdAt, made.updatedAt].map((time) => time?.toISOString() ?? null);
  const [added] = await connection.query(insertStatement, [serverId, ...valuesOf(rule), made.by, ...times]);
  await connection.execute(versionStatement, [serverId]);
  if (added === undefined) throw new Error("A stored rule was not returned");
  return added;
}

/** @returns undefined when it is gone */
export async function updateRule(connection: Queryable, { server_id, rule_id }: RuleAddress, rule: RuleFields) {
  const [changed] = await connection.query(updateStatement, [server_id, rule_id, ...valuesOf(rule)]);
  await connection.execute(versionStatement, [server_id]);
  return changed;
}

/** @returns false when it was not there */
export async function deleteRule(connection: Queryable, { server_id, rule_id }: RuleAddress): Promise<boolean> {
  if ((await connection.execute(deleteStatement, [server_id, rule_id])) === 0) return false;
  await connection.execute(versionStatement, [server_id]);
  return true;
}
