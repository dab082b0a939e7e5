import type { AutomodRuleRecord, BanRecord, InviteRecord } from "@parley/archives";
import { caps, errorTexts, invalidInput, ServiceError } from "@parley/contracts";
import type { Transaction } from "@parley/database/prisma";
import { lockServer } from "@parley/moderation";
import { countInForce, keepInvite } from "../../../community/invites/repository.js";
import { measure, requireCapacity } from "../../../rules/automod-rules/capacity.js";
import { insertRule } from "../../../rules/automod-rules/repository.js";
import { createRuleBody, fitTogether } from "../../../rules/automod-rules/schema.js";
import { recordsOf } from "../reading/repository.js";
import { keepBan } from "./ban-repository.js";
import { findItems, type ItemKind, putItems } from "./repository.js";
import { type MadeChannel, pastTime, type Servers, type Structure, step, type Writing } from "./writing.js";

type Made = Pick<Structure, "roles" | "people"> & { servers: Servers; channels: readonly MadeChannel[] };

const reasonMax = 512;

/** Bans, invites and rules of automatic moderation, which exports of Parley alone have. */
export async function makeModeration(writing: Writing, made: Made): Promise<void> {
  if (writing.row.source !== "parley") return;
  const person = (id: string | null) => (id === null ? null : (made.people.get(id)?.id ?? null));
  const { skipped } = writing;

  await makeEach<BanRecord>(writing, made, {
    kind: "ban",
    idOf: (ban) => ban.person,
    async store(transaction, serverId, { createdAt, expiresAt, reason, ...ban }) {
      const userId = person(ban.person);
      if (userId === null || (expiresAt !== null && expiresAt <= Date.now())) return null;
      await keepBan(transaction, {
        serverId,
        userId,
        bannedBy: person(ban.by),
        reason: reason === null ? null : [...reason].slice(0, reasonMax).join(""),
        createdAt: pastTime(createdAt),
        expiresAt: expiresAt === null ? null : new Date(expiresAt),
      });
      return userId;
    },
  });

  await makeEach<InviteRecord>(writing, made, {
    kind: "invite",
    idOf: ({ id }) => id,
    async store(transaction, serverId, { code, by, uses, maxUses, createdAt, expiresAt, roles, vanity }) {
      const isSpent = (expiresAt !== null && expiresAt <= Date.now()) || (maxUses !== null && uses >= maxUses);
      if (isSpent) return null;
      if ((await countInForce(transaction, serverId)) >= caps.invites.max) {
        skipped.add("unknown_record", "the server has as many invites as it may", code);
        return null;
      }
      return keepInvite(transaction, serverId, {
        code,
        createdBy: person(by),
        maxUses,
        uses,
        createdAt: pastTime(createdAt),
        expiresAt: expiresAt === null ? null : new Date(expiresAt),
        roleIds: roles.flatMap((id) => made.roles.get(id)?.id ?? []),
        vanity,
      });
    },
  });

  const channels = new Map(made.channels.map(({ external, id }) => [external, id]));
  await makeEach<AutomodRuleRecord>(writing, made, {
    kind: "automod_rule",
    idOf: ({ id }) => id,
    async store(transaction, serverId, { rule, exemptRoles, exemptChannels, by, createdAt, updatedAt }) {
      const input = createRuleBody.safeParse({
        ...rule,
        exempt_role_ids: exemptRoles.flatMap((id) => made.roles.get(id)?.id ?? []),
        exempt_channel_ids: exemptChannels.flatMap((id) => channels.get(id) ?? []),
      }).data;
      try {
        if (input === undefined || !fitTogether(input.trigger, input.actions))
          throw invalidInput(errorTexts.rule_actions_invalid);
        const fields = { ...input, ...(await measure(input.trigger)) };
        await requireCapacity(transaction, serverId, fields, null);
        const times = { createdAt: pastTime(createdAt), updatedAt: pastTime(updatedAt) };
        return (await insertRule(transaction, serverId, fields, { by: person(by), ...times })).id;
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        skipped.add("unknown_record", error.message, String(rule.name));
        return null;
      }
    },
  });
}

/** Stores the records of a kind, each with what it has become; one that became nothing before does not come back. */
async function makeEach<Of extends { server: string }>(
  writing: Writing,
  { servers }: Made,
  {
    kind,
    idOf: externalIdOf,
    store,
  }: {
    kind: ItemKind & ("ban" | "invite" | "automod_rule");
    idOf: (record: Of) => string;
    store: (transaction: Transaction, serverId: string, record: Of) => Promise<string | null>;
  },
): Promise<void> {
  const { importer, importId, workspace } = writing;
  const known = await findItems(importer.database, workspace, kind);
  for await (const record of recordsOf<Of>(importer.database, importId, kind)) {
    const serverId = servers.get(record.server)?.id;
    const external_id = externalIdOf(record);
    if (serverId === undefined || known.has(external_id)) continue;
    await step(writing, async (transaction) => {
      await lockServer(transaction, serverId);
      const id = await store(transaction, serverId, record);
      if (id !== null) await putItems(transaction, writing, kind, [{ external_id, target_id: id }]);
    });
  }
}
