import { cleanName } from "../clean-text.js";
import type { ArchiveRecord, CategoryRecord, ChannelRecord } from "../form.js";
import { type DiscordWorld, type ExportFile, isDirect, isPrivateThread, isThread, timeOfId } from "./guild.js";
import type { DiscordMedia } from "./media.js";

/** Servers, categories and channels, in the order in which they were made. */
export function* placesOf(
  files: readonly ExportFile[],
  world: DiscordWorld,
  media: DiscordMedia,
): Generator<ArchiveRecord> {
  const guilds = new Set<string>();
  const categories = new Map<string, CategoryRecord>();
  const channels = new Map<string, ChannelRecord>();
  /** Parents of threads: they may have no file of their own. */
  const parents = new Map<string, ChannelRecord>();
  for (const file of files) {
    const { guild, channel, entry } = file;
    if (isDirect(file)) continue;
    if (!guilds.has(guild.id)) {
      guilds.add(guild.id);
      const icon = media.find(entry, guild.iconUrl ?? "http:");
      yield {
        kind: "server",
        id: guild.id,
        name: cleanName(guild.name) || null,
        ...(icon && { icon: { entry: icon.name, name: "icon", size: icon.size } }),
      };
    }
    const place = { kind: "channel", server: guild.id, archived: false, position: 0 } as const;
    if (isThread(channel) && channel.categoryId) {
      world.threads.set(channel.id, channel);
      parents.set(channel.categoryId, {
        ...place,
        id: channel.categoryId,
        name: cleanName(channel.category ?? "") || "channel",
        type: "text",
        category: null,
        topic: null,
        private: null,
        createdAt: timeOfId(channel.categoryId),
      });
      continue;
    }
    // Old exporters wrote no id of the category.
    const unnumbered = channel.category ? `${guild.id}/${channel.category}` : null;
    const inCategory = isPrivateThread(channel) ? null : (channel.categoryId ?? unnumbered);
    if (inCategory !== null) {
      const name = cleanName(channel.category ?? "") || "category";
      categories.set(inCategory, { kind: "category", id: inCategory, server: guild.id, name, position: 0 });
    }
    channels.set(channel.id, {
      ...place,
      id: channel.id,
      name: cleanName(channel.name) || "channel",
      type: /Voice$/.test(channel.type.replace(/Chat$/, "")) ? "any" : "text",
      category: inCategory,
      topic: channel.topic || null,
      private: isPrivateThread(channel) ? true : null,
      createdAt: timeOfId(channel.id),
    });
  }
  for (const [id, parent] of parents) if (!channels.has(id)) channels.set(id, parent);
  for (const [position, category] of byAge(categories).entries()) yield { ...category, position };
  for (const [position, channel] of byAge(channels).entries()) {
    world.addChannel(channel.id, channel.name, channel.category);
    yield { ...channel, position };
  }
}

/** Ids of Discord rise with time. */
const byAge = <T>(records: ReadonlyMap<string, T>): T[] =>
  [...records].sort(([a], [b]) => a.length - b.length || (a < b ? -1 : 1)).map(([, record]) => record);
