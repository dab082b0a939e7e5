import { defineStatement } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";
import { z } from "zod";

/** Returns a row while a task is due; an index answers it. */
export const duePreviewTasks = "SELECT FROM preview_tasks WHERE due_at <= now()";

/** How long a process has a claimed message to itself; one that has died delays it by as much. */
export const claimSeconds = 12;

const Task = z.object({
  message_id: z.string(),
  server_id: z.string(),
  author_id: z.string(),
  /** This one included. */
  attempts: z.int(),
  /** Whether it has waited for so long that nobody misses the cards any more. */
  is_late: z.boolean(),
});
/** A message whose link cards are to be made. */
export type Task = z.infer<typeof Task>;

/** $1: authors and $2: servers that are passed over. $3: minutes after which a message is late. */
const claimStatement = defineStatement({
  name: "preview_task_claim",
  text: `UPDATE preview_tasks t SET due_at = now() + make_interval(secs => ${claimSeconds}), attempts = attempts + 1
    WHERE t.message_id = (
      SELECT message_id FROM preview_tasks
      WHERE due_at <= now() AND author_id <> ALL ($1::uuid[]) AND server_id <> ALL ($2::uuid[])
      ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING message_id, server_id, author_id, attempts,
      created_at < now() - make_interval(mins => $3::integer) AS is_late`,
  row: Task,
});

/** Messages with polls and scheduled events show these, not their text. */
const contentStatement = defineStatement({
  name: "preview_task_content",
  text: `SELECT m.channel_id, m.content FROM messages m JOIN channels c ON c.id = m.channel_id
    WHERE m.id = $1 AND NOT m.deleted
      AND NOT EXISTS (SELECT FROM polls p WHERE p.message_id = m.id)
      AND NOT EXISTS (SELECT FROM scheduled_events e WHERE e.message_id = m.id)`,
  row: z.object({ channel_id: z.string(), content: z.string() }),
});

const delayStatement = defineStatement({
  name: "preview_task_delay",
  text: "UPDATE preview_tasks SET due_at = now() + make_interval(secs => $2) WHERE message_id = $1",
});

const returnStatement = defineStatement({
  name: "preview_task_return",
  text: "UPDATE preview_tasks SET due_at = now(), attempts = attempts - 1 WHERE message_id = $1 AND attempts = $2",
});

const dropStatement = defineStatement({
  name: "preview_task_drop",
  text: "DELETE FROM preview_tasks WHERE message_id = $1 AND attempts = $2",
});

/** Takes the message that is due for the longest time, but for those of some authors and servers; null when none is due. */
export async function claimTask(
  connection: Queryable,
  { authors, servers, lateMinutes }: { authors: readonly string[]; servers: readonly string[]; lateMinutes: number },
): Promise<Task | null> {
  const [task] = await connection.query(claimStatement, [authors, servers, lateMinutes]);
  return task ?? null;
}

/** Channel and text of a message; null when it has no cards with any text. */
export async function findContent(connection: Queryable | Transaction, messageId: string) {
  const [row] = await connection.query(contentStatement, [messageId]);
  return row ?? null;
}

/** Sets when a message is tried again. */
export async function delayTask(connection: Queryable, { message_id }: Task, seconds: number): Promise<void> {
  await connection.execute(delayStatement, [message_id, seconds]);
}

/** Leaves a message to another process at once. */
export async function returnTask(connection: Queryable, { message_id, attempts }: Task): Promise<void> {
  await connection.execute(returnStatement, [message_id, attempts]);
}

/** Ends a task that yields no cards, unless the message was edited since it was claimed. */
export async function dropTask(connection: Queryable, { message_id, attempts }: Task): Promise<void> {
  await connection.execute(dropStatement, [message_id, attempts]);
}
