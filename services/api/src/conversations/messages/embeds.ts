import type { FileUrls } from "@parley/auth";
import {
  type ComponentRows,
  type Embed,
  embedLimits,
  errorTexts,
  invalidInput,
  type StoredEmbed,
  textsOfComponents,
  textsOfEmbeds,
} from "@parley/contracts";
import { idPlaceholder } from "./event-placeholders.js";

/** The parts of a message that apps add to its text (docs/protocol/apps.md#25.4). */
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

/** The keys of a message for its parts of apps; none for ordinary messages. */
export function appKeys({ embeds, components }: AppParts, urls: FileUrls, messageId: string) {
  return {
    ...(embeds != null && has(embeds) ? { embeds: embeds.map((embed) => withProxies(embed, urls, messageId)) } : {}),
    ...(components != null && has(components) ? { components } : {}),
  };
}

/** Parts that an edit leaves as they are, of a message from before their bound: an event takes no more beside the text. */
export const keptPartsBytesMax = 800_000;

/**
 * Signing multiplies an address: each character of it that is not ASCII has up to twelve bytes in `proxy_url`.
 *
 * @throws ServiceError 400 when the parts, as they are answered, have more bytes than a message may have
 */
export function requireSmallParts(parts: AppParts, urls: FileUrls, bytesMax: number = embedLimits.bytes): void {
  if (!hasAppParts(parts)) return;
  const bytes = Buffer.byteLength(JSON.stringify(appKeys(parts, urls, idPlaceholder)));
  if (bytes > bytesMax) throw invalidInput(errorTexts.embeds_too_large);
}

const attached = "attachment://";

/** How the address of a picture is stored that is a file of its own message. */
export const attachedPicture = (storedName: string): string => `${attached}${storedName}`;

/** An embed with the addresses under which this instance passes its pictures on. */
function withProxies(
  { author, footer, image, thumbnail, ...embed }: StoredEmbed,
  urls: FileUrls,
  messageId: string,
): Embed {
  const addresses = (url: string) => {
    if (!url.startsWith(attached)) return { url, proxy_url: urls.signPicture(url) };
    const file = urls.sign({ message_id: messageId, stored_name: url.slice(attached.length) });
    return { url: file, proxy_url: file };
  };
  const withIcon = <P extends { icon_url: string | null }>(part: P | null) => {
    if (part === null) return null;
    const icon = part.icon_url === null ? null : addresses(part.icon_url);
    return { ...part, icon_url: icon?.url ?? null, proxy_icon_url: icon?.proxy_url ?? null };
  };
  return {
    ...embed,
    author: withIcon(author),
    footer: withIcon(footer),
    image: image === null ? null : addresses(image.url),
    thumbnail: thumbnail === null ? null : addresses(thumbnail.url),
  };
}

/** The columns of a message for its parts of apps; null for ordinary messages. */
export function storedParts(parts: AppParts) {
  const texts = appTexts(parts);
  return {
    embeds: has(parts.embeds) ? parts.embeds : null,
    components: has(parts.components) ? parts.components : null,
    embed_texts: texts.length === 0 ? null : texts.join("\n"),
  };
}
