import type { StoredEmbed } from "@parley/contracts";
import { addressOf, type PostedEmbed } from "../posts/posted-message.js";
import { storedEmbeds } from "../posts/stored-embeds.js";
import type { DiscordEmbed } from "./schema.js";

/** The embeds of a bot or webhook. */
export const embedsOf = (embeds: readonly DiscordEmbed[]): StoredEmbed[] => storedEmbeds(embeds.map(posted));

function posted(embed: DiscordEmbed): PostedEmbed {
  const { author, footer, timestamp, color } = embed;
  return {
    title: embed.title ?? undefined,
    description: embed.description ?? undefined,
    url: addressOf(embed.url),
    color: /^#[0-9a-f]{6}$/i.test(color ?? "") ? (color ?? undefined) : undefined,
    timestamp: timestamp && !Number.isNaN(Date.parse(timestamp)) ? new Date(timestamp).toISOString() : undefined,
    author: author?.name
      ? { name: author.name, url: addressOf(author.url), icon_url: picture(author.iconUrl, author.iconCanonicalUrl) }
      : undefined,
    footer: footer?.text
      ? { text: footer.text, icon_url: picture(footer.iconUrl, footer.iconCanonicalUrl) }
      : undefined,
    image: pictureOf(embed.image ?? embed.images?.[0]),
    thumbnail: pictureOf(embed.thumbnail),
    fields: (embed.fields ?? []).map(({ name, value, isInline }) => ({ name, value, inline: isInline ?? false })),
  };
}

/** A picture in the archive has no address of its own; the exporter names that where it came from. */
const picture = (url: string | null | undefined, canonical: string | null | undefined): string | undefined =>
  addressOf(canonical) ?? addressOf(url);

function pictureOf(given: DiscordEmbed["image"]): { url: string } | undefined {
  const url = picture(given?.url, given?.canonicalUrl);
  return url === undefined ? undefined : { url };
}
