import { defineStatement, type Queryable } from "@parley/database";
import type { APIUser } from "discord-api-types/v10";
import { z } from "zod";
import type { ThreadFields } from "../objects/channel.js";
import { isAnimated, type KnownEmoji } from "../objects/emoji.js";
import type { AnyMessage, MessageContext } from "../objects/message.js";
import { toUser, type UserFields } from "../objects/user.js";
import { type Names, noNames, separator } from "../text/names.js";
import { findThreads } from "./threads.js";

/** The part of the database that translation reads. */
export type Reading = Pick<Queryable, "query">;

const isBot = "EXISTS (SELECT FROM bots b WHERE b.user_id = u.id)";
const findNamed = defineStatement({
  name: "discord_names",
  text: `
SELECT 'user' AS kind, NULL::uuid AS server_id, u.id, u.username AS name, u.avatar_url AS extra, ${isBot} AS is_bot, u.is_webhook,
  u.display_name
  FROM users u WHERE u.id = ANY ($1::uuid[]) OR u.username = ANY ($2::text[])
UNION ALL SELECT 'role', server_id, id, name, NULL, false, false, NULL FROM roles WHERE server_id = ANY ($3::uuid[])
UNION ALL SELECT 'channel', server_id, id, name, NULL, false, false, NULL FROM channels WHERE server_id = ANY ($4::uuid[])
UNION ALL SELECT 'emoji', server_id, id, name, content_type, false, false, NULL FROM custom_emojis
  WHERE server_id = ANY ($5::uuid[]) OR id = ANY ($6::uuid[])`,
  row: z.object({
    kind: z.enum(["user", "role", "channel", "emoji"]),
    server_id: z.string().nullable(),
    id: z.string(),
    name: z.string(),
    extra: z.string().nullable(),
    is_bot: z.boolean(),
    is_webhook: z.boolean(),
    display_name: z.string().nullable(),
  }),
});

/** Runs of a text that may be names of accounts. */
const accountRuns = new RegExp(`@${separator}?([A-Za-z0-9_-]{2,})`, "g");
const runsOfMessageMax = 200;

/** The names and ids in messages, collected so that one statement reads them. */
export class Named {
  readonly userIds = new Set<string>();
  /** Root messages of threads. */
  readonly threadIds = new Set<string>();
  readonly #emojiIds = new Set<string>();
  readonly #usernames = new Set<string>();
  /** Servers by the sign of the names that their texts may contain. */
  readonly #servers = { "@": new Set<string>(), "#": new Set<string>(), ":": new Set<string>() };

  /** @param serverId null in direct messages */
  message(message: AnyMessage, serverId: string | null): void {
    const { author, author_id, mention_user_ids = [], interaction, reactions = [], thread_reply_count = 0 } = message;
    if (author === undefined && author_id !== null) this.userIds.add(author_id);
    for (const id of mention_user_ids) this.userIds.add(id);
    if (interaction !== undefined) this.userIds.add(interaction.user_id);
    for (const { emoji } of reactions) this.emoji(emoji);
    const texts = textsOf(message);
    const runs = texts.flatMap((text) => [...text.matchAll(accountRuns)].flatMap(([, run = ""]) => namesOf(run)));
    for (const name of runs.slice(0, runsOfMessageMax)) this.#usernames.add(name);
    if (serverId === null) return;
    if (thread_reply_count > 0) this.threadIds.add(message.id);
    for (const sign of ["@", "#", ":"] as const) {
      if (texts.some((text) => text.includes(sign))) this.#servers[sign].add(serverId);
    }
  }

  /** @param emoji of a reaction */
  emoji(emoji: string): void {
    if (emoji.startsWith("c:")) this.#emojiIds.add(emoji.slice(2));
  }

  async load(database: Reading): Promise<Known> {
    const { "@": roles, "#": channels, ":": emojis } = this.#servers;
    const asked = [this.userIds, this.#usernames, roles, channels, emojis, this.#emojiIds].map((ids) => [...ids]);
    const [rows, threads] = await Promise.all([
      asked.some((ids) => ids.length > 0) ? database.query(findNamed, asked) : [],
      this.threadIds.size > 0 ? database.query(findThreads, [[...this.threadIds]]) : [],
    ]);
    return new Known(rows, threads);
  }
}

/** The rows that were read for {@link Named}. */
export class Known {
  readonly users = new Map<string, UserFields>();
  readonly emojis = new Map<string, KnownEmoji>();
  /** By root message. */
  readonly threads = new Map<string, ThreadFields>();
  readonly #usernames = new Map<string, string>();
  readonly #servers = new Map<
    string,
    Record<"role" | "channel", Map<string, string>> & { emoji: Map<string, KnownEmoji> }
  >();

  constructor(rows: readonly ReturnType<(typeof findNamed)["parse"]>[], threads: readonly ThreadFields[]) {
    for (const thread of threads) this.threads.set(thread.id, thread);
    for (const { kind, server_id, id, name, extra, ...user } of rows) {
      if (kind === "user") {
        this.users.set(id, { id, username: name, avatar_url: extra, ...user });
        this.#usernames.set(name, id);
        continue;
      }
      const key = server_id ?? "";
      const server = this.#servers.get(key) ?? { role: new Map(), channel: new Map(), emoji: new Map() };
      this.#servers.set(key, server);
      const emoji = { id, name, animated: isAnimated(extra ?? "") };
      if (kind === "emoji") this.emojis.set(id, emoji);
      if (kind === "emoji") server.emoji.set(name, emoji);
      else server[kind].set(name, id);
    }
  }

  /** The context that messages of a server, or direct ones, are shown with. */
  context(where: { origin: string; botUserId: string; serverId: string | null }): MessageContext {
    const { users, emojis, threads } = this;
    const server = this.#servers.get(where.serverId ?? "");
    const ofServer: Names =
      server === undefined
        ? noNames
        : { ...noNames, roles: server.role, channels: server.channel, emojis: server.emoji };
    return { ...where, users, emojis, threads, names: { ...ofServer, users: this.#usernames } };
  }
}

/** Loads the names and ids in messages, in one statement; none if there are none. */
export async function loadContext(
  database: Reading,
  where: { origin: string; botUserId: string; serverId: string | null },
  messages: readonly AnyMessage[],
): Promise<MessageContext> {
  const named = new Named();
  for (const message of messages) named.message(message, where.serverId);
  return (await named.load(database)).context(where);
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

/** Accounts by the key under which each is shown; an account that is gone has none. */
export async function loadPeople(database: Reading, ids: readonly (string | null)[]) {
  const users = await loadUsers(
    database,
    ids.filter((id) => id !== null),
  );
  return <Key extends string>(key: Key, id: string | null) => {
    const user = users.get(id ?? "");
    return (user === undefined ? {} : { [key]: toUser(user) }) as { [K in Key]?: APIUser };
  };
}

/** Accounts by UUID. */
export async function loadUsers(database: Reading, ids: readonly string[]): Promise<ReadonlyMap<string, UserFields>> {
  const named = new Named();
  for (const id of ids) named.userIds.add(id);
  return (await named.load(database)).users;
}
