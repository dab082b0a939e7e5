import {
  AutomodRule,
  type AutomodRuleMatches,
  countMentions,
  errorTexts,
  invalidInput,
  notFound,
  ServiceError,
} from "@parley/contracts";
import type { Database, Transaction } from "@parley/database/prisma";
import { findMentions } from "@parley/message-text";
import { type Messaging, request } from "@parley/messaging";
import type { InServer, MemberAccess, Subresource } from "../../access/may.js";
import { isEmptyChange } from "../../platform/http/empty-change.js";
import { emitAutomodChange } from "../automod/access.js";
import { measure, requireCapacity } from "./capacity.js";
import {
  deleteRule,
  findRule,
  findRules,
  findVersion,
  insertRule,
  type RuleAddress,
  type RuleRow,
  updateRule,
} from "./repository.js";
import { type CreateRule, fitTogether, type UpdateRule } from "./schema.js";

/** How long the test of a text waits for automod, which may have to compile the rules. */
const testTimeoutMs = 5_000;

/** A rule as it goes over the wire. */
export function toRule({ created_at, updated_at, ...row }: RuleRow): AutomodRule {
  return AutomodRule.parse({ ...row, created_at: created_at.toISOString(), updated_at: updated_at.toISOString() });
}

/** The rules of auto-moderation that a server makes; for holders of manage_automod. */
export type AutomodRuleService = ReturnType<typeof createAutomodRuleService>;

export function createAutomodRuleService(options: { database: Database; messaging: Messaging }) {
  const { database, messaging } = options;

  const change = <Found, T>(
    may: InServer<Found>,
    work: (transaction: Transaction, access: MemberAccess & { found: Found }) => Promise<T>,
  ): Promise<T> =>
    may.change(async ({ transaction, emit, access }) => {
      const result = await work(transaction, access);
      emitAutomodChange(emit, access.serverId);
      return result;
    });

  return {
    /** Oldest first, which is the order in which they are applied. */
    async list(serverId: string): Promise<AutomodRule[]> {
      return (await findRules(database, serverId)).map(toRule);
    },

    async create(may: InServer, input: CreateRule): Promise<AutomodRule> {
      await may.access();
      if (!fitTogether(input.trigger, input.actions)) throw invalidInput(errorTexts.rule_actions_invalid);
      const rule = { ...input, ...(await measure(input.trigger)) };
      return change(may, async (transaction, { serverId, userId }) => {
        await requireCapacity(transaction, serverId, rule, null);
        return toRule(await insertRule(transaction, serverId, rule, { by: userId }));
      });
    },

    async update(may: InServer<RuleRow>, address: RuleAddress, changes: UpdateRule): Promise<AutomodRule> {
      const { found } = await may.access();
      if (isEmptyChange(changes)) return toRule(found);
      const measured = changes.trigger && (await measure(changes.trigger));
      return change(may, async (transaction, { serverId, found: before }) => {
        const { name, enabled, trigger, exempt_role_ids, exempt_channel_ids, actions } = changes;
        const rule = {
          name: name ?? before.name,
          enabled: enabled ?? before.enabled,
          trigger: trigger ?? before.trigger,
          exempt_role_ids: exempt_role_ids ?? before.exempt_role_ids,
          exempt_channel_ids: exempt_channel_ids ?? before.exempt_channel_ids,
          actions: actions ?? before.actions,
          word_count: measured?.word_count ?? before.word_count,
          pattern_sizes: measured?.pattern_sizes ?? before.pattern_sizes,
        };
        if (!fitTogether(rule.trigger, rule.actions)) throw invalidInput(errorTexts.rule_actions_invalid);
        await requireCapacity(transaction, serverId, rule, before.id);
        return toRule(requireRule(await updateRule(transaction, address, rule)));
      });
    },

    async delete(may: InServer<RuleRow>, address: RuleAddress): Promise<void> {
      await change(may, (transaction) => deleteRule(transaction, address));
    },

    /** Which enabled rules a text would match, by the process that judges messages. */
    async test(serverId: string, content: string): Promise<AutomodRuleMatches> {
      const names = findMentions(content);
      const people = names.filter((name) => name !== "everyone" && name !== "here");
      const mentions = countMentions(people, names.length - people.length);
      const version = await findVersion(database, serverId);
      const question = { server_id: serverId, version, content, mentions };
      const answer = await request(messaging, "automodRuleTest", question, testTimeoutMs).catch((cause: unknown) => {
        throw new ServiceError("unavailable", errorTexts.automod_unavailable, { cause });
      });
      if (answer === null) throw new ServiceError("unavailable", errorTexts.automod_unavailable);
      return answer;
    },
  };
}

/** The rule that a path names. */
export const namedRule: Subresource<MemberAccess, { rule_id: string }, RuleRow> = {
  missing: [errorTexts.rule_not_found],
  find: async (connection, { serverId }, { rule_id }) =>
    requireRule(await findRule(connection, { server_id: serverId, rule_id })),
};

function requireRule(rule: RuleRow | undefined): RuleRow {
  if (rule === undefined) throw notFound(errorTexts.rule_not_found);
  return rule;
}
