import { generateToken } from "@parley/auth";
import {
  errorTexts,
  invalidInput,
  notFound,
  type Webhook,
  type WebhookDelivery,
  webhooksPerServerMax,
} from "@parley/contracts";
import type { Database, Transaction } from "@parley/database/prisma";
import { lockServer } from "@parley/moderation";
import type { Emit, Outbox } from "@parley/outbox";
import { isEmptyChange } from "../../platform/http/empty-change.js";
import type { ChangeTurns } from "../../platform/load/change-turns.js";
import { emitWebhookChange, requireWebhookManager } from "./access.js";
import type { QueueOutcome, WebhookDeliveries } from "./deliveries.js";
import {
  countWebhooks,
  deleteWebhook,
  findDeliveries,
  findWebhook,
  findWebhooks,
  insertWebhook,
  updateWebhook,
  type WebhookAddress,
} from "./repository.js";
import { toDelivery, toWebhook, type WebhookWithSecret } from "./resource.js";
import type { CreateWebhook, UpdateWebhook } from "./schema.js";

export function createWebhookService(options: {
  database: Database;
  outbox: Outbox<Transaction>;
  turns: ChangeTurns;
  deliveries: WebhookDeliveries;
}) {
  const { database, outbox, turns, deliveries } = options;

  const changeInTurn = <T>(serverId: string, change: (transaction: Transaction, emit: Emit) => Promise<T>) =>
    turns.run(serverId, () => outbox.transaction([{ server_id: serverId }], change));

  const requireWebhook = async (userId: string, address: WebhookAddress) => {
    await requireWebhookManager(database, address.server_id, userId);
    const webhook = await findWebhook(database, address);
    if (webhook === null) throw notFound(errorTexts.webhook_not_found);
    return webhook;
  };

  return {
    async create(
      userId: string,
      serverId: string,
      { name, url, event_types }: CreateWebhook,
    ): Promise<WebhookWithSecret> {
      await requireWebhookManager(database, serverId, userId);
      const secret = generateToken();
      const insert = async (transaction: Transaction, emit: Emit) => {
        // Concurrent requests that create the tenth webhook count one after the other, and rights stay as they are.
        await lockServer(transaction, serverId);
        await requireWebhookManager(transaction, serverId, userId);
        if ((await countWebhooks(transaction, serverId)) >= webhooksPerServerMax) {
          throw invalidInput(errorTexts.webhooks_limit_reached(webhooksPerServerMax));
        }
        emitWebhookChange(emit, serverId);
        return insertWebhook(transaction, { server_id: serverId, created_by: userId, name, url, event_types, secret });
      };
      const webhook = await changeInTurn(serverId, insert);
      return { webhook: toWebhook(webhook), secret };
    },

    /** Oldest first. */
    async list(userId: string, serverId: string): Promise<Webhook[]> {
      await requireWebhookManager(database, serverId, userId);
      return (await findWebhooks(database, serverId)).map(toWebhook);
    },

    async get(userId: string, address: WebhookAddress): Promise<Webhook> {
      return toWebhook(await requireWebhook(userId, address));
    },

    async update(userId: string, address: WebhookAddress, changes: UpdateWebhook): Promise<Webhook> {
      const webhook = await requireWebhook(userId, address);
      if (isEmptyChange(changes)) return toWebhook(webhook);
      return changeInTurn(address.server_id, async (transaction, emit) => {
        const changed = await updateWebhook(transaction, webhook.id, { ...changes, updated_at: new Date() });
        if (changed === undefined) throw notFound(errorTexts.webhook_not_found);
        emitWebhookChange(emit, address.server_id);
        return toWebhook(changed);
      });
    },

    /** Its queued deliveries are dropped when the dispatcher takes them. */
    async delete(userId: string, address: WebhookAddress): Promise<void> {
      const { id } = await requireWebhook(userId, address);
      await changeInTurn(address.server_id, async (transaction, emit) => {
        if (!(await deleteWebhook(transaction, id))) throw notFound(errorTexts.webhook_not_found);
        emitWebhookChange(emit, address.server_id);
      });
    },

    /**
     * Gives the webhook another secret. It signs every attempt that begins from now on, those of deliveries that are
     * queued already included: the old secret signs nothing any more.
     */
    async rotateSecret(userId: string, address: WebhookAddress): Promise<WebhookWithSecret> {
      const { id } = await requireWebhook(userId, address);
      const secret = generateToken();
      const webhook = await updateWebhook(database, id, { secret });
      if (webhook === undefined) throw notFound(errorTexts.webhook_not_found);
      return { webhook: toWebhook(webhook), secret };
    },

    /** Queues a ping; a disabled webhook gets none. */
    async test(userId: string, address: WebhookAddress): Promise<QueueOutcome> {
      return deliveries.ping((await requireWebhook(userId, address)).id);
    },

    /** The latest deliveries, newest first. */
    async listDeliveries(userId: string, address: WebhookAddress): Promise<WebhookDelivery[]> {
      const { id } = await requireWebhook(userId, address);
      return (await findDeliveries(database, id)).map(toDelivery);
    },

    async redeliver(userId: string, address: WebhookAddress & { delivery_id: string }): Promise<QueueOutcome> {
      return deliveries.redeliver((await requireWebhook(userId, address)).id, address.delivery_id);
    },
  };
}

/** Webhooks of a server, for its owner and its administrators (docs/interface.md#13.1). */
export type WebhookService = ReturnType<typeof createWebhookService>;
