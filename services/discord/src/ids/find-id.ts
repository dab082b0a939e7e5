import { defineStatement, type Queryable } from "@parley/database";
import { rangeOf } from "./snowflake.js";

/** The tables whose rows have snowflakes, and the column with the id of the parent. */
const tables = {
  user: { table: "users", scope: null },
  server: { table: "servers", scope: null },
  channel: { table: "channels", scope: "server_id" },
  directChannel: { table: "dm_channels", scope: null },
  message: { table: "messages", scope: "channel_id" },
  directMessage: { table: "dm_messages", scope: "channel_id" },
  role: { table: "roles", scope: "server_id" },
  emoji: { table: "custom_emojis", scope: "server_id" },
  webhook: { table: "incoming_webhooks", scope: "server_id" },
  interaction: { table: "interactions", scope: null },
  event: { table: "scheduled_events", scope: null },
  auditEntry: { table: "audit_log_entries", scope: "server_id" },
} as const;
export type IdKind = keyof typeof tables;

const statementOf = (kind: IdKind, scoped: boolean) => {
  const { table, scope } = tables[kind];
  const within = scoped ? ` AND ${scope} = $3::uuid` : "";
  return defineStatement({
    name: `discord_id_${table}${scoped ? "_in" : ""}`,
    // If two ids have the same snowflake, the older one is meant (docs/discord.md#rules).
    text: `SELECT id FROM ${table} WHERE id BETWEEN $1::uuid AND $2::uuid${within} ORDER BY id LIMIT 1`,
    row: (row) => String(row.id),
  });
};
const kinds = Object.keys(tables) as IdKind[];
const anywhere = new Map(kinds.map((kind) => [kind, statementOf(kind, false)]));
const within = new Map(kinds.flatMap((kind) => (tables[kind].scope === null ? [] : [[kind, statementOf(kind, true)]])));

/**
 * Finds the UUID of an object by its snowflake: one look into a range of the primary key.
 *
 * @param scope id of the server of a channel, role, emoji or webhook, or of the channel of a message, where it is known
 * @returns null when there is none
 */
export async function findId(
  database: Pick<Queryable, "query">,
  kind: IdKind,
  snowflake: string,
  scope?: string,
): Promise<string | null> {
  const range = rangeOf(snowflake);
  if (range === null) return null;
  const statement = (scope === undefined ? anywhere : within).get(kind);
  if (statement === undefined) throw new Error(`${kind} has no scope`);
  const [id] = await database.query(statement, [range.from, range.to, ...(scope === undefined ? [] : [scope])]);
  return id ?? null;
}
