import { type Database, defineStatement } from "@parley/database";
import { z } from "zod";
import { ruleSetBytesMax, ruleSetsMax } from "../limits.js";
import type { SlicedBuilds } from "../sliced-builds.js";
import { createVersionedCache } from "../versioned-cache.js";
import { compileRules, type RuleSet, StoredRule, sizeOfRules } from "./compile.js";

/** Rules and version in one statement, so that they belong together. */
const rulesStatement = defineStatement({
  name: "automod_rules",
  text: `SELECT s.automod_rules_version AS version, coalesce((
        SELECT json_agg(json_build_object('id', r.id, 'trigger', r.trigger, 'actions', r.actions,
          'exempt_role_ids', r.exempt_role_ids, 'exempt_channel_ids', r.exempt_channel_ids,
          'pattern_sizes', r.pattern_sizes, 'updated_at_ms', extract(epoch FROM r.updated_at) * 1000) ORDER BY r.id)
        FROM automod_rules r WHERE r.server_id = s.id AND r.enabled), '[]') AS rules
    FROM servers s WHERE s.id = $1`,
  row: z.object({ version: z.int(), rules: z.array(StoredRule) }),
});

/** The rules of all servers, compiled once for each version of a server's. */
export type RuleSets = (serverId: string, version: number) => Promise<RuleSet>;

export function createRuleSets({ database, builds }: { database: Database; builds: SlicedBuilds }): RuleSets {
  return createVersionedCache<RuleSet>({
    serversMax: ruleSetsMax,
    bytesMax: ruleSetBytesMax,
    async read(serverId) {
      const [row] = await database.query(rulesStatement, [serverId]);
      // A deleted server has no rules.
      const { version, rules } = row ?? { version: Number.MAX_SAFE_INTEGER, rules: [] };
      const value = await builds.run(sizeOfRules(rules), compileRules(rules));
      return { version, value, bytes: value.bytes + 1, isKept: row !== undefined };
    },
  });
}
