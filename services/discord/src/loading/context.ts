import { defineStatement, type Queryable } from "@parley/database";
import { z } from "zod";
import { isAnimated, type KnownEmoji } from "../objects/emoji.js";
import type { AnyMessage, MessageContext } from "../objects/message.js";
import type { UserFields } from "../objects/user.js";
import { separator } from "../text/names.js";

/** The part of the database that translation reads. */
export type Reading = Pick<Queryable, "query">;

const isBot = "EXISTS (SELECT FROM bots b WHERE b.user_id = u.id)";
const findNames = defineStatement({
  name: "discord_names",
  text: `
SELECT 'user' AS kind, u.id, u.username AS name, u.avatar_url AS extra, ${isBot} AS is_bot, u.is_webhook FROM users u
  WHERE u.id = ANY ($2::uuid[]) OR u.username = ANY ($3::text[])
UNION ALL SELECT 'role', id, name, NULL, false, false FROM roles WHERE $4 AND server_id = $1::uuid
UNION ALL SELECT 'channel', id, name, NULL, false, false FROM channels WHERE $5 AND server_id = $1::uuid
UNION ALL SELECT 'emoji', id, name, content_type, false, false FROM custom_emojis
  WHERE ($6 AND server_id = $1::uuid) OR id = ANY ($7::uuid[])`,
  row: z.object({
    kind: z.enum(["user", "role", "channel", "emoji"]),
    id: z.string(),
    name: z.string(),
    extra: z.string().nullable(),
    is_bot: z.boolean(),
    is_webhook: z.boolean(),
  }),
});

/** Runs of a text that may be names of accounts. */
const accountRuns = new RegExp(`@${separator}?([A-Za-z0-9_-]{2,})`, "g");
const runsMax = 200;

/** Loads what messages name, in one statement; none where they name nothing. */
export async function loadContext(
  database: Reading,
  where: { origin: string; botUserId: string; serverId: string | null },
  messages: readonly AnyMessage[],
): Promise<MessageContext> {
  const texts = messages.flatMap(textsOf);
  const userIds = new Set<string>();
  const emojiIds = new Set<string>();
  for (const { author, author_id, mention_user_ids = [], interaction, reactions = [] } of messages) {
    if (author === undefined && author_id !== null) userIds.add(author_id);
    for (const id of mention_user_ids) userIds.add(id);
    if (interaction !== undefined) userIds.add(interaction.user_id);
    for (const { emoji } of reactions) if (emoji.startsWith("c:")) emojiIds.add(emoji.slice(2));
  }
  const names = new Set(
    texts.flatMap((text) => [...text.matchAll(accountRuns)].flatMap(([, run = ""]) => namesOf(run))),
  );
  const isServer = where.serverId !== null;
  const has = (sign: string) => isServer && texts.some((text) => text.includes(sign));
  const [hasAt, hasNumber, hasColon] = [has("@"), has("#"), has(":")];
  const rows =
    userIds.size + emojiIds.size + names.size > 0 || hasAt || hasNumber || hasColon
      ? await database.query(findNames, [
          where.serverId,
          [...userIds],
          [...names].slice(0, runsMax),
          hasAt,
          hasNumber,
          hasColon,
          [...emojiIds],
        ])
      : [];
  const users = new Map<string, UserFields>();
  const emojis = new Map<string, KnownEmoji>();
  const byName = {
    user: new Map<string, string>(),
    role: new Map<string, string>(),
    channel: new Map<string, string>(),
  };
  for (const { kind, id, name, extra, is_bot, is_webhook } of rows) {
    if (kind === "emoji") emojis.set(id, { id, name, animated: isAnimated(extra ?? "") });
    else byName[kind].set(name, id);
    if (kind === "user") users.set(id, { id, username: name, avatar_url: extra, is_bot, is_webhook });
  }
  return {
    ...where,
    users,
    emojis,
    names: {
      users: byName.user,
      roles: byName.role,
      channels: byName.channel,
      emojis: new Map([...emojis.values()].map((emoji) => [emoji.name, emoji])),
    },
  };
}

function textsOf({ content, embeds = [] }: AnyMessage): string[] {
  const ofEmbeds = embeds.flatMap(({ title, description, fields }) => [
    title ?? "",
    description ?? "",
    ...fields.flatMap(({ name, value }) => [name, value]),
  ]);
  return [content, ...ofEmbeds].filter((text) => text !== "");
}

/** The run, and its beginnings before hyphens. */
function namesOf(run: string): string[] {
  const names: string[] = [];
  for (let name = run; name !== ""; name = name.slice(0, Math.max(0, name.lastIndexOf("-")))) names.push(name);
  return names.slice(0, 8);
}

const findUsers = defineStatement({
  name: "discord_users",
  text: `SELECT u.id, u.username, u.avatar_url, ${isBot} AS is_bot, u.is_webhook FROM users u WHERE u.id = ANY ($1::uuid[])`,
  row: z.object({
    id: z.string(),
    username: z.string(),
    avatar_url: z.string().nullable(),
    is_bot: z.boolean(),
    is_webhook: z.boolean(),
  }),
});

/** Accounts by UUID. */
export async function loadUsers(database: Reading, ids: readonly string[]): Promise<Map<string, UserFields>> {
  const rows = ids.length === 0 ? [] : await database.query(findUsers, [[...new Set(ids)]]);
  return new Map(rows.map((row) => [row.id, row]));
}
