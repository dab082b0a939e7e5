const entities: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&#x27;": "'",
};

/** One piece of a highlight, and whether it matched. */
export interface HighlightPart {
  text: string;
  isMatch: boolean;
}

/**
 * Parses the server's excerpt: escaped text with the matching words in mark elements (docs/protocol/messages.md#7.7). The parts
 * are rendered as text, so no content of a message becomes markup.
 */
export function partsOfHighlight(highlight: string): HighlightPart[] {
  return highlight
    .split(/(<mark>.*?<\/mark>)/s)
    .map((part) => {
      const match = /^<mark>(.*)<\/mark>$/s.exec(part);
      return { text: unescapeText(match?.[1] ?? part), isMatch: match !== null };
    })
    .filter(({ text }) => text !== "");
}

const unescapeText = (text: string): string =>
  text.replace(/&(?:amp|lt|gt|quot|#39|#x27);/g, (entity) => entities[entity] ?? entity);

/** An excerpt with its matches marked. */
export function Highlight({ text }: { text: string }) {
  return (
    <span dir="auto">
      {partsOfHighlight(text).map((part, index) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never change places.
        part.isMatch ? <mark key={index}>{part.text}</mark> : part.text,
      )}
    </span>
  );
}
