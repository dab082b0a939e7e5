import { messagePreviewsMax, urlLengthMax } from "@parley/contracts";

/** Code, spoilers, and addresses in angle brackets, whose links get no card. */
const hidden = /```[\s\S]*?(?:```|$)|`[^`]*`|\|\|[^|]+\|\||<https?:\/\/[^\s<>]*>/gi;
const link = /\bhttps?:\/\/[^\s<>()[\]"'`|]+/gi;
const trailing = /[.,;:!?]+$/;

/**
 * The web addresses of a message that get link cards (docs/interface.md#28.11): the first different ones, as they are
 * written, in their order, at most {@link messagePreviewsMax}.
 */
export function previewedLinks(content: string): string[] {
  const found = [...content.replace(hidden, " ").matchAll(link)]
    .map(([text]) => text.replace(trailing, ""))
    .filter((url) => url.length <= urlLengthMax && URL.canParse(url));
  return [...new Set(found)].slice(0, messagePreviewsMax);
}
