import { type Archive, ArchiveError } from "../archive.js";
import { cleanName } from "../clean-text.js";
import type { ArchiveRecord } from "../form.js";
import { jsonRecords } from "../json-records.js";
import { maxPeople } from "../open/limits.js";
import { skipped, unknownRecord } from "../skipped.js";
import { ZulipReactions } from "./reactions.js";
import {
  emojiSchema,
  folderSchema,
  groupSchema,
  reactionSchema,
  realmSchema,
  recipientSchema,
  streamSchema,
  userSchema,
  type ZulipEmoji,
  type ZulipFolder,
  type ZulipStream,
  type ZulipUser,
} from "./schema.js";

const maxRecipients = 1_000_000;
const channelType = 2;

/** The tables of `realm.json`. */
export class Realm {
  server = "zulip";
  serverName: string | null = null;
  readonly streams: ZulipStream[] = [];
  readonly folders: ZulipFolder[] = [];
  readonly users: { user: ZulipUser; isDummy: boolean }[] = [];
  /** Bots of Zulip itself, by their ids; people once they wrote something. */
  readonly systemBots = new Map<string, string>();
  readonly ownEmoji: ZulipEmoji[] = [];
  /** Channels by recipients; null for conversations. */
  readonly recipients = new Map<string, string | null>();
  readonly reactions = new ZulipReactions();

  /** What has no place is counted. */
  async *read(archive: Archive): AsyncGenerator<ArchiveRecord> {
    for await (const { key, place, value } of jsonRecords(archive, "realm.json")) {
      if (place === null) continue;
      const isRead = this.#table(key, value);
      if (isRead === false) yield unknownRecord(`realm.json, record ${place} of ${key}`);
      else if (key === "zerver_namedusergroup" || key === "zerver_usergroup") {
        const { data: group } = groupSchema.safeParse(value);
        if (group !== undefined && group.is_system_group !== true) {
          yield skipped("user_group", "no place for it", group.name);
        }
      }
    }
  }

  /** @returns false for a value that cannot be read */
  #table(key: string | null, value: unknown): boolean {
    switch (key) {
      case "zerver_realm": {
        const { data } = realmSchema.safeParse(value);
        if (data !== undefined) [this.server, this.serverName] = [data.id, cleanName(data.name) || null];
        return data !== undefined;
      }
      case "zerver_userprofile":
      case "zerver_userprofile_mirrordummy": {
        const { data: user } = userSchema.safeParse(value);
        if (user !== undefined) this.users.push({ user, isDummy: key !== "zerver_userprofile" });
        if (this.users.length > maxPeople) throw new ArchiveError(`The archive has more than ${maxPeople} people.`);
        return user !== undefined;
      }
      case "zerver_userprofile_crossrealm": {
        const { data } = userSchema.safeParse(value);
        if (data !== undefined) this.systemBots.set(data.id, data.email ?? "");
        return data !== undefined;
      }
      case "zerver_channelfolder": {
        const { data } = folderSchema.safeParse(value);
        if (data !== undefined) this.folders.push(data);
        return data !== undefined;
      }
      case "zerver_stream": {
        const { data } = streamSchema.safeParse(value);
        if (data !== undefined) this.streams.push(data);
        return data !== undefined;
      }
      case "zerver_recipient": {
        const { data } = recipientSchema.safeParse(value);
        if (data !== undefined) this.recipients.set(data.id, data.type === channelType ? data.type_id : null);
        if (this.recipients.size > maxRecipients) {
          throw new ArchiveError(`The archive has more than ${maxRecipients} recipients.`);
        }
        return data !== undefined;
      }
      case "zerver_realmemoji": {
        const { data } = emojiSchema.safeParse(value);
        if (data !== undefined) this.ownEmoji.push(data);
        return data !== undefined;
      }
      case "zerver_reaction": {
        const { data } = reactionSchema.safeParse(value);
        if (data !== undefined) this.reactions.add(data);
        return data !== undefined;
      }
      default:
        return true;
    }
  }
}
