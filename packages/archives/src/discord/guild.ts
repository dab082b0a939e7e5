import type { Archive } from "../archive.js";
import { jsonRecords } from "../json-records.js";
import { channelSchema, type DiscordChannel, type DiscordMessage, guildSchema } from "./schema.js";
import { systemMessages } from "./system-messages.js";
import { channelPattern, type DiscordNames } from "./text.js";

/** A file of the exporter: a channel, thread or forum post, or a part of one. */
export interface ExportFile {
  entry: string;
  guild: { id: string; name: string; iconUrl?: string | null | undefined };
  channel: DiscordChannel;
  exportedAt: string;
}

const publicThreads = ["GuildPublicThread", "GuildNewsThread"];
const direct = /^Direct/;

export const isThread = ({ type }: DiscordChannel): boolean => publicThreads.includes(type);
export const isPrivateThread = ({ type }: DiscordChannel): boolean => type === "GuildPrivateThread";
export const isDirect = ({ guild, channel }: ExportFile): boolean => guild.id === "0" || direct.test(channel.type);

/** Members of a file that are looked at for its head. */
const maxHeadMembers = 20;

/**
 * What the members before the messages of an entry say.
 *
 * @returns null for JSON that is no export
 * @throws ArchiveError at a wrong syntax before guild and channel are known; what follows is read again with the messages
 */
export async function readHead(archive: Archive, entry: string): Promise<ExportFile | null> {
  let guild: ExportFile["guild"] | undefined;
  let channel: DiscordChannel | undefined;
  let exportedAt = "";
  let members = 0;
  try {
    for await (const { key, place, value } of jsonRecords(archive, entry)) {
      members += 1;
      if (key === null || place !== null || members > maxHeadMembers) break;
      if (key === "guild") guild = guildSchema.safeParse(value).data;
      else if (key === "channel") channel = channelSchema.safeParse(value).data;
      else if (key === "exportedAt") exportedAt = String(value);
      if (guild !== undefined && channel !== undefined && exportedAt !== "") break;
    }
  } catch (error) {
    if (guild === undefined || channel === undefined) throw error;
  }
  return guild === undefined || channel === undefined ? null : { entry, guild, channel, exportedAt };
}

/** Milliseconds since 1970 of an id of Discord. */
export function timeOfId(id: string): number | null {
  const at = Number(BigInt(id) >> 22n) + 1_420_070_400_000;
  return Number.isSafeInteger(at) ? at : null;
}

/** What is known of a person. */
export interface KnownPerson {
  /** Of a bot or webhook, the first one. */
  name: string;
  /** The old account's. */
  username: string;
  /** The roles, with commas; null where only reactions have named the person, which do not say them. */
  roles: string | null;
}

/** What the first reading of an archive has found. */
export class DiscordWorld {
  readonly people = new Map<string, KnownPerson>();
  readonly roles = new Map<string, string>();
  readonly emoji = new Set<string>();
  /** Threads by their ids, which are those of their roots. */
  readonly threads = new Map<string, DiscordChannel>();
  /** Channels by their ids; a forum has no file of its own. */
  readonly channels = new Map<string, { name: string; category: string | null }>();
  /** The ids under which files of threads have their roots, by the threads' ids. */
  readonly shadows = new Map<string, string>();
  /** Messages that began a thread. */
  readonly #roots = new Set<string>();
  readonly #byName = new Map<string, string[]>();
  #pattern: RegExp | null | undefined;

  addChannel(id: string, name: string, category: string | null): void {
    this.channels.set(id, { name, category });
    const ofName = this.#byName.get(name);
    if (ofName === undefined) this.#byName.set(name, [id]);
    else ofName.push(id);
  }

  /** Notes a message that began a thread, unless nothing of it comes. */
  noteRoot({ id, type, content, attachments, stickers, forwardedMessage, author, embeds }: DiscordMessage): void {
    const hasMore = attachments?.length || stickers?.length || forwardedMessage || (author.isBot && embeds?.length);
    if (this.threads.has(id) && systemMessages.get(type) === null && (content.trim() !== "" || hasMore))
      this.#roots.add(id);
  }

  /** The thread of this id, unless a message began it: Discord sends a notice of such a thread, too. */
  threadWithoutRoot(id: string): DiscordChannel | undefined {
    return this.#roots.has(id) ? undefined : this.threads.get(id);
  }

  /** @param channel the channel whose texts are read */
  namesFor(channel: string): DiscordNames {
    const category = this.channels.get(channel)?.category ?? null;
    if (this.#pattern === undefined) this.#pattern = channelPattern(this.#byName.keys());
    return {
      isPerson: (id) => this.people.has(id),
      isChannel: (id) => this.channels.has(id),
      channelNamed: (name) => {
        const ids = this.#byName.get(name);
        return ids?.find((id) => this.channels.get(id)?.category === category) ?? ids?.[0];
      },
      channelPattern: this.#pattern,
      threadName: (id) => this.threads.get(id)?.name,
      roleName: (id) => this.roles.get(id),
      hasPicture: (id) => this.emoji.has(id),
    };
  }
}
