import { generateToken, hashToken } from "@parley/auth";
import {
  type AuditAction,
  errorTexts,
  type IncomingWebhook,
  type IncomingWebhookWithToken,
  incomingWebhooksPerChannelMax,
  invalidInput,
  notFound,
} from "@parley/contracts";
import type { Database, IncomingWebhook as IncomingWebhookRow, Transaction } from "@parley/database/prisma";
import { lockServer } from "@parley/moderation";
import type { Emit, Outbox } from "@parley/outbox";
import { appendAudit } from "../../access/audit-log/repository.js";
import { isEmptyChange } from "../../platform/http/empty-change.js";
import type { ChangeTurns } from "../../platform/load/change-turns.js";
import { accountNameOf } from "../bots/account-name.js";
import { emitWebhookChange, requireWebhookManager } from "../webhooks/access.js";
import {
  countIncomingWebhooks,
  deleteIncomingWebhook,
  findIncomingWebhook,
  findIncomingWebhooks,
  hasChannel,
  type IncomingWebhookAddress,
  insertIncomingWebhook,
  updateIncomingWebhook,
} from "./repository.js";
import type { CreateIncomingWebhook, UpdateIncomingWebhook } from "./schema.js";

export function createIncomingWebhookService(options: {
  database: Database;
  outbox: Outbox<Transaction>;
  turns: ChangeTurns;
}) {
  const { database, outbox, turns } = options;

  const requireWebhook = async (userId: string, address: IncomingWebhookAddress): Promise<IncomingWebhookRow> => {
    await requireWebhookManager(database, address.server_id, userId);
    const webhook = await findIncomingWebhook(database, address);
    if (webhook === null) throw notFound(errorTexts.webhook_not_found);
    return webhook;
  };

  /** Runs a change under the lock of the server, so that concurrent ones are counted one after the other. */
  const change = (
    { userId, serverId, action }: { userId: string; serverId: string; action: AuditAction },
    work: (transaction: Transaction) => Promise<IncomingWebhookRow | undefined>,
  ): Promise<IncomingWebhookRow> =>
    turns.run(serverId, () =>
      outbox.transaction([{ server_id: serverId }], async (transaction: Transaction, emit: Emit) => {
        await lockServer(transaction, serverId);
        await requireWebhookManager(transaction, serverId, userId);
        const webhook = await work(transaction);
        if (webhook === undefined) throw notFound(errorTexts.webhook_not_found);
        const { id: targetId, name } = webhook;
        await appendAudit(transaction, { serverId, actorId: userId, action, targetId, details: { name } });
        emitWebhookChange(emit, serverId);
        return webhook;
      }),
    );

  return {
    async create(
      userId: string,
      serverId: string,
      { channel_id, name, avatar_url }: CreateIncomingWebhook,
    ): Promise<IncomingWebhookWithToken> {
      await requireWebhookManager(database, serverId, userId);
      const token = generateToken();
      const webhook = await change({ userId, serverId, action: "incoming_webhook_create" }, async (transaction) => {
        await requireCapacity(transaction, serverId, channel_id);
        return insertIncomingWebhook(transaction, {
          server_id: serverId,
          channel_id,
          created_by: userId,
          name,
          avatar_url: avatar_url ?? null,
          token_hash: hashToken(token),
          username: accountNameOf(name, "webhook"),
        });
      });
      return withToken(webhook, token);
    },

    /** Oldest first. */
    async list(userId: string, serverId: string): Promise<IncomingWebhook[]> {
      await requireWebhookManager(database, serverId, userId);
      return (await findIncomingWebhooks(database, serverId)).map(toIncomingWebhook);
    },

    async get(userId: string, address: IncomingWebhookAddress): Promise<IncomingWebhook> {
      return toIncomingWebhook(await requireWebhook(userId, address));
    },

    async update(
      userId: string,
      address: IncomingWebhookAddress,
      changes: UpdateIncomingWebhook,
    ): Promise<IncomingWebhook> {
      const before = await requireWebhook(userId, address);
      if (isEmptyChange(changes)) return toIncomingWebhook(before);
      const serverId = address.server_id;
      const changed = await change({ userId, serverId, action: "incoming_webhook_update" }, async (transaction) => {
        const { channel_id } = changes;
        if (channel_id !== undefined && channel_id !== before.channel_id) {
          await requireCapacity(transaction, serverId, channel_id);
        }
        return updateIncomingWebhook(transaction, address, changes);
      });
      return toIncomingWebhook(changed);
    },

    async delete(userId: string, address: IncomingWebhookAddress): Promise<void> {
      await requireWebhook(userId, address);
      const serverId = address.server_id;
      await change({ userId, serverId, action: "incoming_webhook_delete" }, (transaction) =>
        deleteIncomingWebhook(transaction, address),
      );
    },

    /** The address of before finds nothing any more. */
    async rotateToken(userId: string, address: IncomingWebhookAddress): Promise<IncomingWebhookWithToken> {
      await requireWebhook(userId, address);
      const token = generateToken();
      const serverId = address.server_id;
      const webhook = await change({ userId, serverId, action: "incoming_webhook_update" }, (transaction) =>
        updateIncomingWebhook(transaction, address, { token_hash: hashToken(token) }),
      );
      return withToken(webhook, token);
    },
  };
}

/** Incoming webhooks of a server, for its owner and its administrators (docs/interface.md#25.5). */
export type IncomingWebhookService = ReturnType<typeof createIncomingWebhookService>;

/** @throws ServiceError 404 for a channel that the server does not have, 400 for one with as many as it may have */
async function requireCapacity(transaction: Transaction, serverId: string, channelId: string): Promise<void> {
  if (!(await hasChannel(transaction, serverId, channelId))) throw notFound(errorTexts.channel_not_found);
  if ((await countIncomingWebhooks(transaction, channelId)) >= incomingWebhooksPerChannelMax)
    throw invalidInput(errorTexts.incoming_webhooks_limit_reached(incomingWebhooksPerChannelMax));
}

const toIncomingWebhook = (row: IncomingWebhookRow): IncomingWebhook => ({
  id: row.id,
  name: row.name,
  channel_id: row.channel_id,
  avatar_url: row.avatar_url,
  created_by: row.created_by,
  created_at: row.created_at.toISOString(),
});

const withToken = (row: IncomingWebhookRow, token: string): IncomingWebhookWithToken => ({
  ...toIncomingWebhook(row),
  token,
  path: `/hooks/${row.id}/${token}`,
});
