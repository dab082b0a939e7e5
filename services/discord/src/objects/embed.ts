import type { Embed, LinkPreview, StoredEmbed } from "@parley/contracts";
import { type APIEmbed, EmbedType } from "discord-api-types/v10";
import { toColor } from "./role.js";

/** The surroundings that embeds need. */
export interface EmbedContext {
  /** The address of a path that is relative to the API's base. */
  readonly addressOf: (path: string) => string;
  readonly readText: (text: string) => string;
}

/** Discord's embed; one from the database has no addresses of copies of its pictures. */
export function toEmbed(embed: Embed | StoredEmbed, { addressOf, readText }: EmbedContext): APIEmbed {
  const { title, description, url, color, timestamp, author, footer, image, thumbnail, fields } = embed;
  const picture = ({ url: of, proxy_url = of }: { url: string; proxy_url?: string }) => ({
    url: addressOf(of),
    proxy_url: addressOf(proxy_url),
  });
  const icon = ({ icon_url, proxy_icon_url }: { icon_url: string | null; proxy_icon_url?: string | null }) =>
    icon_url === null
      ? {}
      : { icon_url: addressOf(icon_url), ...(proxy_icon_url ? { proxy_icon_url: addressOf(proxy_icon_url) } : {}) };
  return {
    type: EmbedType.Rich,
    ...(title === null ? {} : { title: readText(title) }),
    ...(description === null ? {} : { description: readText(description) }),
    ...(url === null ? {} : { url }),
    ...(color === null ? {} : { color: toColor(color) }),
    ...(timestamp === null ? {} : { timestamp }),
    ...(author === null
      ? {}
      : { author: { name: author.name, ...(author.url === null ? {} : { url: author.url }), ...icon(author) } }),
    ...(footer === null ? {} : { footer: { text: footer.text, ...icon(footer) } }),
    ...(image === null ? {} : { image: picture(image) }),
    ...(thumbnail === null ? {} : { thumbnail: picture(thumbnail) }),
    ...(fields.length === 0
      ? {}
      : {
          fields: fields.map(({ name, value, inline }) => ({ name: readText(name), value: readText(value), inline })),
        }),
  };
}

/** A link card as an embed. */
export const toLinkEmbed = ({ url, title, description, image, site_name }: LinkPreview): APIEmbed => ({
  type: EmbedType.Link,
  url,
  ...(title === null ? {} : { title }),
  ...(description === null ? {} : { description }),
  ...(image === null ? {} : { thumbnail: { url: image } }),
  ...(site_name === null ? {} : { provider: { name: site_name } }),
});
