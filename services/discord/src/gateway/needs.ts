import type { OwnCommand } from "@parley/contracts";
import { snowflakeOf } from "../ids/snowflake.js";
import { type Known, Named } from "../loading/context.js";
import type { Newest } from "../objects/channel.js";
import type { MemberFields } from "../objects/member.js";
import type { AnyMessage, MessageContext } from "../objects/message.js";
import type { RoleFields } from "../objects/role.js";
import type { Guild, Guilds } from "./guilds.js";
import { type Lookups, type Membership, membershipKey, type SeenChannel } from "./lookups.js";
import type { Reader } from "./reader.js";

type Emojis = Awaited<ReturnType<Lookups["emojisOf"]>>;

/** The data that events need to be shown, collected so that it is read at once. */
export class Needs {
  readonly memberships: Membership[] = [];
  readonly named = new Named();
  readonly channels = new Set<string>();
  /** Servers whose emoji are shown. */
  readonly emojiLists = new Set<string>();
  readonly replies: { rootId: string; replyId: string }[] = [];
  /** Messages whose dispatch shows the thread that they are in, or that one is gone with them. */
  readonly inThreads = new Set<string>();
  /** Channels whose newest pin is shown. */
  readonly pins = new Set<string>();
  /** Options of polls whose numbers are shown. */
  readonly options = new Set<string>();
  /** Servers of invites whose codes are shown, by invite. */
  readonly invites = new Map<string, string>();
  /** Messages that are replied to, and their servers. */
  readonly #referenced = new Map<string, string | null>();
  /** Messages that are shown as they are stored, and their servers. */
  readonly #changed = new Map<string, string | null>();
  /** Users whose dispatch shows the servers that they share with the bot. */
  readonly shared = new Set<string>();
  readonly guilds = new Set<string>();
  readonly roles = new Set<string>();
  /** Whether the bot's commands are. */
  commands = false;

  constructor(readonly reader: Reader) {}

  /** @param serverId null in direct messages */
  message(message: AnyMessage, serverId: string | null): void {
    const { author_id, webhook, mention_user_ids = [] } = message;
    this.named.message(message, serverId);
    if (message.reply_to) this.#referenced.set(message.reply_to, serverId);
    if (serverId === null) return;
    const people = author_id === null || webhook !== undefined ? mention_user_ids : [author_id, ...mention_user_ids];
    this.memberships.push(...people.map((userId) => ({ serverId, userId })));
  }

  /** A message that is shown as it is stored now. @param serverId null in direct messages */
  changed(messageId: string, serverId: string | null): void {
    this.#changed.set(messageId, serverId);
  }

  async find({ lookups, guilds }: { lookups: Lookups; guilds: Guilds }): Promise<Found> {
    const { bot, origin, remembered } = this.reader;
    const botUserId = bot.userId;
    const changed = await lookups.stored(this.#changed.keys());
    for (const message of changed.values()) this.message(message, this.#changed.get(message.id) ?? null);
    const referenced = await lookups.stored(this.#referenced.keys());
    for (const message of referenced.values()) {
      const serverId = this.#referenced.get(message.id) ?? null;
      this.named.message(message, serverId);
      const { author_id: userId, webhook } = message;
      // Who is replied to is mentioned.
      if (serverId !== null && userId !== null && webhook === undefined) this.memberships.push({ serverId, userId });
    }
    const memberships = new Map(this.memberships.map((each) => [membershipKey(each), each]));
    const [
      members,
      known,
      channels,
      beginning,
      inThreads,
      answers,
      inviteCodes,
      shared,
      loaded,
      roles,
      commands,
      newest,
      ...lists
    ] = await Promise.all([
      remembered.read("member", memberships.keys(), (keys) =>
        lookups.members(keys.flatMap((key) => memberships.get(key) ?? [])),
      ),
      this.#known(lookups),
      remembered.read("channel", this.channels, (ids) => lookups.channels(ids, botUserId)),
      lookups.beginningReplies(this.replies),
      lookups.threadMessages(this.inThreads),
      lookups.answerNumbers(this.options),
      lookups.inviteCodes(this.invites),
      lookups.sharedServers(this.shared, botUserId),
      guilds.load([...this.guilds], this.reader),
      lookups.roles(this.roles),
      this.commands ? lookups.commandsOf(botUserId) : [],
      lookups.newest(this.pins),
      ...[...this.emojiLists].map(async (id) => [id, await lookups.emojisOf(id)] as const),
    ]);
    return new Found({
      members,
      known,
      channels,
      beginning,
      inThreads,
      answers,
      inviteCodes,
      changed,
      referenced,
      shared,
      guilds: new Map(loaded.map(({ serverId, guild }) => [serverId, guild])),
      emojiLists: new Map(lists),
      roles,
      commands,
      newest,
      botUserId,
      origin,
    });
  }

  async #known(lookups: Lookups): Promise<Known> {
    const { named } = this;
    const userIds = [...named.userIds];
    named.userIds.clear();
    let known: Known | undefined;
    const users = await this.reader.remembered.read("user", userIds, async (ids) => {
      for (const id of ids) named.userIds.add(id);
      known = await lookups.named(named);
      return known.users;
    });
    known ??= await lookups.named(named);
    for (const [id, user] of users) known.users.set(id, user);
    return known;
  }
}

/** The data that was read for events. */
export class Found {
  constructor(
    readonly it: {
      readonly members: ReadonlyMap<string, MemberFields>;
      readonly known: Known;
      readonly channels: ReadonlyMap<string, SeenChannel>;
      /** Replies that begin their thread, or bring it back: whether they are its first. */
      readonly beginning: ReadonlyMap<string, boolean>;
      readonly inThreads: Awaited<ReturnType<Lookups["threadMessages"]>>;
      readonly answers: ReadonlyMap<string, number>;
      readonly inviteCodes: ReadonlyMap<string, string>;
      readonly changed: ReadonlyMap<string, AnyMessage>;
      readonly referenced: ReadonlyMap<string, AnyMessage>;
      readonly shared: ReadonlyMap<string, readonly string[]>;
      readonly guilds: ReadonlyMap<string, Guild>;
      readonly emojiLists: ReadonlyMap<string, Emojis>;
      readonly roles: ReadonlyMap<string, RoleFields>;
      readonly commands: readonly OwnCommand[];
      readonly newest: ReadonlyMap<string, Newest>;
      readonly botUserId: string;
      readonly origin: string;
    },
  ) {}

  member(serverId: string | null, userId: string | null): MemberFields | undefined {
    return serverId === null || userId === null ? undefined : this.it.members.get(membershipKey({ serverId, userId }));
  }

  /** Snowflake of the channel that a message is in for Discord: a reply is in its thread. */
  channelIdOf(message: { readonly id: string; readonly channel_id: string }): string {
    return snowflakeOf(this.it.inThreads.get(message.id)?.thread_id ?? message.channel_id);
  }

  /** The context that messages of a server, or direct ones, are shown with. */
  context(serverId: string | null): MessageContext {
    const { known, botUserId, origin } = this.it;
    return known.context({ serverId, botUserId, origin });
  }
}

/** `guild_id` of an object that belongs to a server. */
export const guildIdOf = (serverId: string | null) => (serverId === null ? {} : { guild_id: snowflakeOf(serverId) });
