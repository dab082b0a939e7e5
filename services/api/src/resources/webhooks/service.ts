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
import type { ChangeTurns } from "../../load/change-turns.js";
import type { QueueOutcome, WebhookDeliveries } from "./deliveries.js";
import { requireManager } from "./require-manager.js";
import { toWebhook, type WebhookWithSecret } from "./resource.js";
import type { CreateWebhook, UpdateWebhook } from "./schema.js";

/** A webhook below its server's path. */
export interface WebhookAddress {
  server_id: string;
  webhook_id: string;
}

export function createWebhookService(options: {
  database: Database;
  turns: ChangeTurns;
  deliveries: WebhookDeliveries;
}) {
  const { database, turns, deliveries } = options;
  const { webhook: webhooks } = database.prisma;

  const requireWebhook = async (userId: string, { server_id, webhook_id }: WebhookAddress) => {
    await requireManager(database, server_id, userId);
    const webhook = await webhooks.findUnique({ where: { id: webhook_id, server_id } });
    if (webhook === null) throw notFound(errorTexts.webhook_not_found);
    return webhook;
  };

  return {
    async create(
      userId: string,
      serverId: string,
      { name, url, event_types }: CreateWebhook,
    ): Promise<WebhookWithSecret> {
      await requireManager(database, serverId, userId);
      const secret = generateToken();
      const insert = async (transaction: Transaction) => {
        // Concurrent requests that create the tenth webhook count one after the other, and rights stay as they are.
        await lockServer(transaction, serverId);
        await requireManager(transaction, serverId, userId);
        const existing = await transaction.prisma.webhook.count({ where: { server_id: serverId } });
        if (existing >= webhooksPerServerMax) {
          throw invalidInput(errorTexts.webhooks_limit_reached(webhooksPerServerMax));
        }
        return transaction.prisma.webhook.create({
          data: { server_id: serverId, created_by: userId, name, url, event_types, secret },
        });
      };
      const webhook = await turns.run(serverId, () => database.transaction(insert));
      return { webhook: toWebhook(webhook), secret };
    },

    /** Oldest first. */
    async list(userId: string, serverId: string): Promise<Webhook[]> {
      await requireManager(database, serverId, userId);
      const rows = await webhooks.findMany({
        where: { server_id: serverId },
        orderBy: [{ created_at: "asc" }, { id: "asc" }],
      });
      return rows.map(toWebhook);
    },

    async get(userId: string, address: WebhookAddress): Promise<Webhook> {
      return toWebhook(await requireWebhook(userId, address));
    },

    async update(userId: string, address: WebhookAddress, changes: UpdateWebhook): Promise<Webhook> {
      const webhook = await requireWebhook(userId, address);
      if (Object.values(changes).every((value) => value === undefined)) return toWebhook(webhook);
      const [changed] = await webhooks.updateManyAndReturn({
        where: { id: webhook.id },
        data: { ...changes, updated_at: new Date() },
      });
      if (changed === undefined) throw notFound(errorTexts.webhook_not_found);
      return toWebhook(changed);
    },

    /** Its queued deliveries are dropped when the dispatcher takes them. */
    async delete(userId: string, address: WebhookAddress): Promise<void> {
      const { id } = await requireWebhook(userId, address);
      const { count } = await webhooks.deleteMany({ where: { id } });
      if (count === 0) throw notFound(errorTexts.webhook_not_found);
    },

    /**
     * Gives the webhook another secret. It signs every attempt that begins from now on, those of deliveries that are
     * queued already included: the old secret signs nothing any more.
     */
    async rotateSecret(userId: string, address: WebhookAddress): Promise<WebhookWithSecret> {
      const { id } = await requireWebhook(userId, address);
      const secret = generateToken();
      const [webhook] = await webhooks.updateManyAndReturn({ where: { id }, data: { secret } });
      if (webhook === undefined) throw notFound(errorTexts.webhook_not_found);
      return { webhook: toWebhook(webhook), secret };
    },

    /** Queues a ping; a disabled webhook gets none. */
    async test(userId: string, address: WebhookAddress): Promise<QueueOutcome> {
      return deliveries.ping((await requireWebhook(userId, address)).id);
    },

    /** The latest deliveries, newest first. */
    async listDeliveries(userId: string, address: WebhookAddress): Promise<WebhookDelivery[]> {
      return deliveries.list((await requireWebhook(userId, address)).id);
    },

    async redeliver(userId: string, address: WebhookAddress & { delivery_id: string }): Promise<QueueOutcome> {
      return deliveries.redeliver((await requireWebhook(userId, address)).id, address.delivery_id);
    },
  };
}

/** Webhooks of a server, for its owner and its administrators (docs/interface.md#13.1). */
export type WebhookService = ReturnType<typeof createWebhookService>;
