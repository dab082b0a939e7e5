import { messagePreviewsMax, urlLengthMax } from "@parley/contracts";
import { cardLinks } from "@parley/message-text";

/** The web addresses of a message that get link cards (docs/protocol/messages.md#28.11), at most {@link messagePreviewsMax}. */
export const previewedLinks = (content: string): string[] =>
  cardLinks(content, { cardsMax: messagePreviewsMax, lengthMax: urlLengthMax });
