import type { IncomingWebhook, Queryable, Transaction } from "@parley/database/prisma";
import { defineExpiry } from "../../platform/jobs/expiry-repository.js";

/** An incoming webhook below its server's path. */
export interface IncomingWebhookAddress {
  server_id: string;
  webhook_id: string;
}

/** The columns of a new incoming webhook, and the name of its account. */
export interface NewIncomingWebhook {
  server_id: string;
  channel_id: string;
  created_by: string;
  name: string;
  avatar_url: string | null;
  token_hash: string;
  username: string;
}

/** The incoming webhooks of a server, oldest first. */
export function findIncomingWebhooks({ prisma }: Queryable, server_id: string): Promise<IncomingWebhook[]> {
  return prisma.incomingWebhook.findMany({ where: { server_id }, orderBy: [{ created_at: "asc" }, { id: "asc" }] });
}

export function findIncomingWebhook(
  { prisma }: Queryable,
  { webhook_id: id, server_id }: IncomingWebhookAddress,
): Promise<IncomingWebhook | null> {
  return prisma.incomingWebhook.findUnique({ where: { id, server_id } });
}

export function countIncomingWebhooks({ prisma }: Transaction, channel_id: string): Promise<number> {
  return prisma.incomingWebhook.count({ where: { channel_id } });
}

export async function hasChannel({ prisma }: Transaction, server_id: string, id: string): Promise<boolean> {
  return (await prisma.channel.count({ where: { id, server_id } })) > 0;
}

/** Stores an incoming webhook with its account. */
export async function insertIncomingWebhook(
  { prisma }: Transaction,
  { username, ...webhook }: NewIncomingWebhook,
): Promise<IncomingWebhook> {
  const { avatar_url } = webhook;
  const account = await prisma.user.create({ data: { username, avatar_url, is_webhook: true }, select: { id: true } });
  return prisma.incomingWebhook.create({ data: { ...webhook, user_id: account.id } });
}

/** Changes an incoming webhook, and the picture of its account. @returns undefined when it is gone */
export async function updateIncomingWebhook(
  { prisma }: Transaction,
  { webhook_id: id, server_id }: IncomingWebhookAddress,
  data: {
    channel_id?: string | undefined;
    name?: string | undefined;
    avatar_url?: string | null | undefined;
    token_hash?: string;
  },
): Promise<IncomingWebhook | undefined> {
  const [changed] = await prisma.incomingWebhook.updateManyAndReturn({ where: { id, server_id }, data });
  const { avatar_url } = data;
  if (changed !== undefined && avatar_url !== undefined)
    await prisma.user.update({ where: { id: changed.user_id }, data: { avatar_url }, select: { id: true } });
  return changed;
}

/** Its account stays as long as its messages. @returns undefined when it is gone */
export async function deleteIncomingWebhook(
  { prisma }: Transaction,
  { webhook_id: id, server_id }: IncomingWebhookAddress,
): Promise<IncomingWebhook | undefined> {
  const webhook = await prisma.incomingWebhook.findUnique({ where: { id, server_id } });
  if (webhook === null) return undefined;
  return (await prisma.incomingWebhook.deleteMany({ where: { id } })).count > 0 ? webhook : undefined;
}

/** Accounts of webhooks, which stay as long as their webhook or their messages. */
export const expiredWebhookAccounts = defineExpiry({
  name: "expired webhook accounts",
  table: "users",
  where: `is_webhook AND NOT EXISTS (SELECT FROM incoming_webhooks w WHERE w.user_id = t.id)
    AND NOT EXISTS (SELECT FROM messages m WHERE m.author_id = t.id)`,
  order: "id",
});
