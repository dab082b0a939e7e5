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
import type { IncomingWebhook as IncomingWebhookRow, Transaction } from "@parley/database/prisma";
import { announceAudit } from "../../access/audit-log/repository.js";
import type { InServer, MemberAccess, Subresource } from "../../access/may.js";
import { isEmptyChange } from "../../platform/http/empty-change.js";
import type { Stores } from "../../platform/http/may.js";
import { accountNameOf } from "../bots/account-name.js";
import { emitWebhookChange } from "../webhooks/access.js";
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

/** The incoming webhook that a path names. */
export const namedIncomingWebhook: Subresource<MemberAccess, { webhook_id: string }, IncomingWebhookRow> = {
  missing: [errorTexts.webhook_not_found],
  async find(connection, { serverId }, { webhook_id }) {
    const webhook = await findIncomingWebhook(connection, { server_id: serverId, webhook_id });
    if (webhook === null) throw notFound(errorTexts.webhook_not_found);
    return webhook;
  },
};

export function createIncomingWebhookService({ database, outbox }: Pick<Stores, "database" | "outbox">) {
  const change = <Found>(
    may: InServer<Found>,
    action: AuditAction,
    work: (
      transaction: Transaction,
      access: MemberAccess & { found: Found },
    ) => Promise<IncomingWebhookRow | undefined>,
  ): Promise<IncomingWebhookRow> =>
    may.change(async ({ transaction, emit, access, audit }) => {
      const webhook = await work(transaction, access);
      if (webhook === undefined) throw notFound(errorTexts.webhook_not_found);
      await audit(action, webhook.id, { name: webhook.name });
      emitWebhookChange(emit, access.serverId);
      return webhook;
    });

  return {
    async create(
      may: InServer,
      { channel_id, name, avatar_url }: CreateIncomingWebhook,
    ): Promise<IncomingWebhookWithToken> {
      const token = generateToken();
      const webhook = await change(may, "incoming_webhook_create", async (transaction, { serverId, userId }) => {
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
    async list(serverId: string): Promise<IncomingWebhook[]> {
      return (await findIncomingWebhooks(database, serverId)).map(toIncomingWebhook);
    },

    async update(
      may: InServer<IncomingWebhookRow>,
      address: IncomingWebhookAddress,
      changes: UpdateIncomingWebhook,
    ): Promise<IncomingWebhook> {
      if (isEmptyChange(changes)) return toIncomingWebhook((await may.access()).found);
      const changed = await change(may, "incoming_webhook_update", async (transaction, { serverId, found }) => {
        const { channel_id } = changes;
        if (channel_id !== undefined && channel_id !== found.channel_id) {
          await requireCapacity(transaction, serverId, channel_id);
        }
        return updateIncomingWebhook(transaction, address, changes);
      });
      return toIncomingWebhook(changed);
    },

    /** Changes, or deletes, an incoming webhook for a request with its token: the log names nobody. */
    async changeByToken(
      { id: webhook_id, server_id }: Pick<IncomingWebhookRow, "id" | "server_id">,
      changes: Omit<UpdateIncomingWebhook, "channel_id"> | null,
    ): Promise<IncomingWebhook> {
      const address = { webhook_id, server_id };
      if (changes !== null && isEmptyChange(changes)) {
        const webhook = await findIncomingWebhook(database, address);
        if (webhook === null) throw notFound(errorTexts.webhook_not_found);
        return toIncomingWebhook(webhook);
      }
      const row = await outbox.transaction([{ server_id }], async (transaction, emit) => {
        const webhook = await (changes === null
          ? deleteIncomingWebhook(transaction, address)
          : updateIncomingWebhook(transaction, address, changes));
        if (webhook === undefined) throw notFound(errorTexts.webhook_not_found);
        const action = changes === null ? "incoming_webhook_delete" : "incoming_webhook_update";
        const entry = { serverId: server_id, actorId: null, action, targetId: webhook.id } as const;
        await announceAudit({ transaction, emit }, { ...entry, details: { name: webhook.name } });
        emitWebhookChange(emit, server_id);
        return webhook;
      });
      return toIncomingWebhook(row);
    },

    async delete(may: InServer<IncomingWebhookRow>, address: IncomingWebhookAddress): Promise<void> {
      await change(may, "incoming_webhook_delete", (transaction) => deleteIncomingWebhook(transaction, address));
    },

    /** The address of before finds nothing any more. */
    async rotateToken(
      may: InServer<IncomingWebhookRow>,
      address: IncomingWebhookAddress,
    ): Promise<IncomingWebhookWithToken> {
      const token = generateToken();
      const webhook = await change(may, "incoming_webhook_update", (transaction) =>
        updateIncomingWebhook(transaction, address, { token_hash: hashToken(token) }),
      );
      return withToken(webhook, token);
    },
  };
}

/** Incoming webhooks of a server, for its owner and its administrators (docs/protocol/webhooks.md#25.5). */
export type IncomingWebhookService = ReturnType<typeof createIncomingWebhookService>;

/** @throws ServiceError 404 for a channel that the server does not have, 400 for one with as many as it may have */
async function requireCapacity(transaction: Transaction, serverId: string, channelId: string): Promise<void> {
  if (!(await hasChannel(transaction, serverId, channelId))) throw notFound(errorTexts.channel_not_found);
  if ((await countIncomingWebhooks(transaction, channelId)) >= incomingWebhooksPerChannelMax)
    throw invalidInput(errorTexts.incoming_webhooks_limit_reached(incomingWebhooksPerChannelMax));
}

export const toIncomingWebhook = (row: IncomingWebhookRow): IncomingWebhook => ({
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
