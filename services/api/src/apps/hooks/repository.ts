import { MessageAuthor } from "@parley/contracts";
import { defineStatement } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";
import { z } from "zod";
import { authorColumns, authorRow, webhookAuthor } from "../../conversations/messages/author-repository.js";
import { type MentionCandidates, textOfRoles } from "../../rules/mentions/mentions.js";

const hook = z.object({
  id: z.string(),
  server_id: z.string(),
  channel_id: z.string(),
  /** The account that its messages are of. */
  user_id: z.string(),
  name: z.string(),
  avatar_url: z.string().nullable(),
  token_hash: z.string(),
});
/** An incoming webhook that something was posted to. */
export type Hook = z.infer<typeof hook>;

const hookStatement = defineStatement({
  name: "hook_find",
  text: "SELECT id, server_id, channel_id, user_id, name, avatar_url, token_hash FROM incoming_webhooks WHERE id = $1",
  row: hook,
});

const ownerStatement = defineStatement({
  name: "hook_server_owner",
  text: "SELECT owner_id FROM servers WHERE id = $1",
  row: ({ owner_id }) => String(owner_id),
});

/** $1: the account, $2: the channel, $3: names that the text may mention, $4: root message of the thread, $5: the text of roles. */
const contextStatement = defineStatement({
  name: "hook_send_context",
  text: `SELECT c.server_id, ${authorColumns({ serverId: "c.server_id", userId: "u.id", usernames: "$3::text", text: "$5::text" })},
      ${webhookAuthor} AS author,
      (SELECT r.thread_id IS NOT NULL FROM messages r
        WHERE r.id = $4::uuid AND r.channel_id = c.id AND NOT r.deleted) AS root_is_reply
    FROM incoming_webhooks w
    JOIN users u ON u.id = w.user_id
    JOIN channels c ON c.id = w.channel_id
    JOIN servers s ON s.id = c.server_id
    LEFT JOIN automod_configs a ON a.server_id = c.server_id
    WHERE w.user_id = $1 AND w.channel_id = $2`,
  row: authorRow.extend({ server_id: z.string(), author: MessageAuthor, root_is_reply: z.boolean().nullable() }),
});

export async function findHook(connection: Queryable, id: string): Promise<Hook | null> {
  const [found] = await connection.query(hookStatement, [id]);
  return found ?? null;
}

/**
 * Columns that decide about a message of an incoming webhook; undefined when the webhook is gone, or has another
 * channel by now.
 */
export async function findHookContext(
  connection: Queryable,
  of: { userId: string; channelId: string; threadId: string | null; mentions: MentionCandidates },
) {
  const { usernames, content } = of.mentions;
  const values = [of.userId, of.channelId, JSON.stringify(usernames), of.threadId, textOfRoles(content)];
  const [row] = await connection.query(contextStatement, values);
  return row;
}

/** The owner of a server; undefined when it is gone. */
export async function findOwner(connection: Queryable, serverId: string): Promise<string | undefined> {
  const [ownerId] = await connection.query(ownerStatement, [serverId]);
  return ownerId;
}
