import { embedLimits, type StoredEmbed } from "@parley/contracts";
import { addressOf, type PostedEmbed } from "../posts/posted-message.js";
import { storedEmbeds } from "../posts/stored-embeds.js";
import type { DiscordEmbed } from "./schema.js";

/** The embeds of a bot or webhook, and one for each further picture. */
export const embedsOf = (embeds: readonly DiscordEmbed[], convert: (text: string) => string): StoredEmbed[] =>
  storedEmbeds(
    embeds.slice(0, embedLimits.embeds).flatMap((embed) => {
      const [first, ...others] = [embed.image, ...(embed.images ?? [])].flatMap((image) => pictureOf(image) ?? []);
      const further = others.filter(({ url }) => url !== first?.url);
      return [{ ...posted(embed, convert), image: first }, ...further.map((image) => ({ image }))];
    }),
  );

function posted(embed: DiscordEmbed, convert: (text: string) => string): PostedEmbed {
  const { author, footer, timestamp, color } = embed;
  return {
    title: embed.title ? convert(embed.title) : (embed.title ?? undefined),
    description: embed.description ? convert(embed.description) : (embed.description ?? undefined),
    url: addressOf(embed.url),
    color: /^#[0-9a-f]{6}$/i.test(color ?? "") ? (color ?? undefined) : undefined,
    timestamp: timestamp && !Number.isNaN(Date.parse(timestamp)) ? new Date(timestamp).toISOString() : undefined,
    author: author?.name
      ? { name: author.name, url: addressOf(author.url), icon_url: picture(author.iconUrl, author.iconCanonicalUrl) }
      : undefined,
    footer: footer?.text
      ? { text: footer.text, icon_url: picture(footer.iconUrl, footer.iconCanonicalUrl) }
      : undefined,
    thumbnail: pictureOf(embed.thumbnail),
    fields: (embed.fields ?? []).map(({ name, value, isInline }) => ({
      name: convert(name),
      value: convert(value),
      inline: isInline ?? false,
    })),
  };
}

/** A picture in the archive has no address of its own; the exporter names that where it came from. */
const picture = (url: string | null | undefined, canonical: string | null | undefined): string | undefined =>
  addressOf(canonical) ?? addressOf(url);

function pictureOf(given: DiscordEmbed["image"]): { url: string } | undefined {
  const url = picture(given?.url, given?.canonicalUrl);
  return url === undefined ? undefined : { url };
}
