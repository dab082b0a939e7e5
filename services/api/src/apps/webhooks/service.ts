import { generateToken } from "@parley/auth";
import {
  errorTexts,
  invalidInput,
  notFound,
  type Webhook,
  type WebhookDelivery,
  webhooksPerServerMax,
} from "@parley/contracts";
import type { Database, Webhook as WebhookRow } from "@parley/database/prisma";
import type { InServer, MemberAccess, Subresource } from "../../access/may.js";
import { isEmptyChange } from "../../platform/http/empty-change.js";
import { emitWebhookChange } from "./access.js";
import {
  countWebhooks,
  deleteWebhook,
  findDeliveries,
  findWebhook,
  findWebhooks,
  insertWebhook,
  updateWebhook,
} from "./repository.js";
import { toDelivery, toWebhook, type WebhookWithSecret } from "./resource.js";
import type { CreateWebhook, UpdateWebhook } from "./schema.js";

/** The webhook that a path names. */
export const namedWebhook: Subresource<MemberAccess, { webhook_id: string }, WebhookRow> = {
  missing: [errorTexts.webhook_not_found],
  async find(connection, { serverId }, { webhook_id }) {
    const webhook = await findWebhook(connection, { server_id: serverId, webhook_id });
    if (webhook === null) throw notFound(errorTexts.webhook_not_found);
    return webhook;
  },
};

export function createWebhookService({ database }: { database: Database }) {
  return {
    async create(may: InServer, { name, url, event_types }: CreateWebhook): Promise<WebhookWithSecret> {
      const secret = generateToken();
      const webhook = await may.change(async ({ transaction, emit, access: { serverId, userId } }) => {
        if ((await countWebhooks(transaction, serverId)) >= webhooksPerServerMax) {
          throw invalidInput(errorTexts.webhooks_limit_reached(webhooksPerServerMax));
        }
        emitWebhookChange(emit, serverId);
        return insertWebhook(transaction, { server_id: serverId, created_by: userId, name, url, event_types, secret });
      });
      return { webhook: toWebhook(webhook), secret };
    },

    /** Oldest first. */
    async list(serverId: string): Promise<Webhook[]> {
      return (await findWebhooks(database, serverId)).map(toWebhook);
    },

    async update(may: InServer<WebhookRow>, changes: UpdateWebhook): Promise<Webhook> {
      if (isEmptyChange(changes)) return toWebhook((await may.access()).found);
      return may.change(async ({ transaction, emit, access: { serverId, found } }) => {
        emitWebhookChange(emit, serverId);
        return toWebhook(
          requireRow(await updateWebhook(transaction, found.id, { ...changes, updated_at: new Date() })),
        );
      });
    },

    /** Its queued deliveries are dropped when the dispatcher takes them. */
    delete(may: InServer<WebhookRow>): Promise<void> {
      return may.change(async ({ transaction, emit, access: { serverId, found } }) => {
        await deleteWebhook(transaction, found.id);
        emitWebhookChange(emit, serverId);
      });
    },

    /**
     * Gives the webhook another secret. It signs every attempt that begins from now on, those of deliveries that are
     * queued already included: the old secret signs nothing any more.
     */
    async rotateSecret(may: InServer<WebhookRow>): Promise<WebhookWithSecret> {
      const secret = generateToken();
      return may.change(async ({ transaction, access: { found } }) => {
        const webhook = requireRow(await updateWebhook(transaction, found.id, { secret }));
        return { webhook: toWebhook(webhook), secret };
      });
    },

    /** The latest deliveries of a webhook, newest first. */
    async listDeliveries({ id }: WebhookRow): Promise<WebhookDelivery[]> {
      return (await findDeliveries(database, id)).map(toDelivery);
    },
  };
}

/** @throws ServiceError 404 for one that went since it was found */
function requireRow(webhook: WebhookRow | undefined): WebhookRow {
  if (webhook === undefined) throw notFound(errorTexts.webhook_not_found);
  return webhook;
}

/** Webhooks of a server, for its owner and its administrators (docs/protocol/webhooks.md#13.1). */
export type WebhookService = ReturnType<typeof createWebhookService>;
