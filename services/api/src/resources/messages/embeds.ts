import { type ComponentRows, type Embed, type StoredEmbed, textsOfComponents, textsOfEmbeds } from "@parley/contracts";
import type { FileUrls } from "../../files/signed-urls.js";

/** What apps put into a message beside its text (docs/interface.md#25.4). */
export interface AppParts {
  embeds?: readonly StoredEmbed[] | null | undefined;
  components?: ComponentRows | null | undefined;
}

const has = (list: readonly unknown[] | null | undefined): boolean => list != null && list.length > 0;

/** Whether there is anything beside the text. */
export const hasAppParts = ({ embeds, components }: AppParts): boolean => has(embeds) || has(components);

/** The texts that people read in embeds and components. */
export const appTexts = ({ embeds, components }: AppParts): string[] => [
  ...textsOfEmbeds(embeds ?? []),
  ...textsOfComponents(components ?? []),
];

/** The keys of a message for what it has beside its text; none for ordinary messages. */
export function appKeys({ embeds, components }: AppParts, urls: FileUrls) {
  return {
    ...(embeds != null && has(embeds) ? { embeds: embeds.map((embed) => withProxies(embed, urls)) } : {}),
    ...(components != null && has(components) ? { components } : {}),
  };
}

/** An embed with the addresses under which this instance passes its pictures on. */
function withProxies({ author, footer, image, thumbnail, ...embed }: StoredEmbed, urls: FileUrls): Embed {
  const picture = (stored: { url: string } | null) =>
    stored === null ? null : { url: stored.url, proxy_url: urls.signPicture(stored.url) };
  const withIcon = <P extends { icon_url: string | null }>(part: P | null) =>
    part === null ? null : { ...part, proxy_icon_url: part.icon_url === null ? null : urls.signPicture(part.icon_url) };
  return {
    ...embed,
    author: withIcon(author),
    footer: withIcon(footer),
    image: picture(image),
    thumbnail: picture(thumbnail),
  };
}

/** How what a message has beside its text is stored; null for ordinary messages. */
export function storedParts(parts: AppParts) {
  const texts = appTexts(parts);
  return {
    embeds: has(parts.embeds) ? parts.embeds : null,
    components: has(parts.components) ? parts.components : null,
    embed_texts: texts.length === 0 ? null : texts.join("\n"),
  };
}
