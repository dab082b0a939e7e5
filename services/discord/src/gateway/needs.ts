import type { Command, Member } from "@parley/contracts";
import type { APIRole } from "discord-api-types/v10";
import { snowflakeOf } from "../ids/snowflake.js";
import type { KnownEmoji } from "../objects/emoji.js";
import type { AnyMessage, MessageContext } from "../objects/message.js";
import type { UserFields } from "../objects/user.js";
import type { Guild, Guilds } from "./guilds.js";
import {
  type Lookups,
  type Membership,
  maybeNames,
  membershipKey,
  type SeenChannel,
  type ServerNames,
} from "./lookups.js";

type BegunThreads = Awaited<ReturnType<Lookups["begunThreads"]>>;
type Emojis = Awaited<ReturnType<Lookups["emojisOf"]>>;

/** What events need to be shown, collected before it is read. */
export class Needs {
  readonly memberships: Membership[] = [];
  readonly users = new Set<string>();
  readonly channels = new Set<string>();
  readonly emojis = new Set<string>();
  /** Servers whose names texts may have. */
  readonly names = new Set<string>();
  /** Servers whose emoji are shown. */
  readonly emojiLists = new Set<string>();
  readonly replies: { rootId: string; replyId: string }[] = [];
  /** Users of whom it is shown in which servers they are. */
  readonly shared = new Set<string>();
  readonly guilds = new Set<string>();
  readonly roles = new Set<string>();
  /** Whether the bot's commands are. */
  commands = false;

  constructor(
    private readonly botUserId: string,
    private readonly origin: string,
  ) {}

  /** @param serverId null in direct messages */
  message(message: AnyMessage, serverId: string | null): void {
    const { author_id, webhook, interaction, mention_user_ids = [], reactions = [] } = message;
    if (interaction !== undefined) this.users.add(interaction.user_id);
    for (const { emoji } of reactions) this.emoji(emoji);
    for (const id of mention_user_ids) this.users.add(id);
    if (serverId === null) return;
    const people = author_id === null || webhook !== undefined ? mention_user_ids : [author_id, ...mention_user_ids];
    this.memberships.push(...people.map((userId) => ({ serverId, userId })));
    if (textsOf(message).some(maybeNames)) this.names.add(serverId);
  }

  /** @param emoji of a reaction */
  emoji(emoji: string): void {
    if (emoji.startsWith("c:")) this.emojis.add(emoji.slice(2));
  }

  async find({ lookups, guilds }: { lookups: Lookups; guilds: Guilds }): Promise<Found> {
    const { botUserId } = this;
    const [members, users, channels, emojis, names, threads, shared, loaded, roles, commands, ...lists] =
      await Promise.all([
        lookups.members(this.memberships),
        lookups.users(this.users),
        lookups.channels(this.channels, botUserId),
        lookups.emojis(this.emojis),
        lookups.names(this.names),
        lookups.begunThreads(this.replies),
        lookups.sharedServers(this.shared, botUserId),
        guilds.load([...this.guilds], botUserId),
        lookups.roles(this.roles),
        this.commands ? lookups.commandsOf(botUserId) : [],
        ...[...this.emojiLists].map(async (id) => [id, await lookups.emojisOf(id)] as const),
      ]);
    return new Found({
      members,
      users,
      channels,
      emojis,
      names,
      threads,
      shared,
      guilds: new Map(loaded.map(({ serverId, guild }) => [serverId, guild])),
      emojiLists: new Map(lists),
      roles,
      commands,
      botUserId,
      origin: this.origin,
    });
  }
}

const noNames: ServerNames = { roles: new Map(), channels: new Map(), emojis: new Map() };

/** What was read for events. */
export class Found {
  constructor(
    readonly it: {
      readonly members: ReadonlyMap<string, Member>;
      readonly users: ReadonlyMap<string, UserFields>;
      readonly channels: ReadonlyMap<string, SeenChannel>;
      readonly emojis: ReadonlyMap<string, KnownEmoji>;
      readonly names: ReadonlyMap<string, ServerNames>;
      readonly threads: BegunThreads;
      readonly shared: ReadonlyMap<string, readonly string[]>;
      readonly guilds: ReadonlyMap<string, Guild>;
      readonly emojiLists: ReadonlyMap<string, Emojis>;
      readonly roles: ReadonlyMap<string, APIRole>;
      readonly commands: readonly Command[];
      readonly botUserId: string;
      readonly origin: string;
    },
  ) {}

  member(serverId: string | null, userId: string | null): Member | undefined {
    return serverId === null || userId === null ? undefined : this.it.members.get(membershipKey({ serverId, userId }));
  }

  /** What a message is shown with. */
  context({ mention_user_ids = [] }: AnyMessage, serverId: string | null): MessageContext {
    const { users, names, emojis, botUserId, origin } = this.it;
    const mentioned = mention_user_ids.flatMap((id) => users.get(id) ?? []);
    return {
      origin,
      botUserId,
      serverId,
      users,
      names: {
        ...(names.get(serverId ?? "") ?? noNames),
        users: new Map(mentioned.map(({ username, id }) => [username, id])),
      },
      emojis,
    };
  }
}

/** Every text of a message that may name somebody. */
function textsOf({ content, embeds = [] }: AnyMessage): string[] {
  const ofEmbeds = embeds.flatMap(({ title, description, fields }) => [
    title ?? "",
    description ?? "",
    ...fields.flatMap(({ name, value }) => [name, value]),
  ]);
  return [content, ...ofEmbeds];
}

/** `guild_id` of what belongs to a server. */
export const guildIdOf = (serverId: string | null) => (serverId === null ? {} : { guild_id: snowflakeOf(serverId) });
