import type { DetailedMessage } from "@parley/client";
import { urlLengthMax } from "@parley/contracts";
import { cardLinks } from "@parley/message-text";
import { useEffect } from "react";
import { useApp, useAppState } from "../../../state/app/use-app.js";
import { useConversation } from "../context.js";
import { LinkCard } from "./link-card.js";

/** A preview is requested after the link was displayed for this time, so not during fast scrolling. */
const restMs = 300;

/** The cards of a message's links. Those of a channel's message come with it; of a direct message one is requested. */
export function LinkCards({ message: { previews = [], content } }: { message: DetailedMessage }) {
  const { place } = useConversation();
  if (place.kind === "channel") return previews.map((preview) => <LinkCard key={preview.url} preview={preview} />);
  const [link] = cardLinks(content, { cardsMax: 1, lengthMax: urlLengthMax });
  return link === undefined ? null : <RequestedCard url={link} />;
}

function RequestedCard({ url }: { url: string }) {
  const { details } = useApp();
  const preview = useAppState((state) => state.previews[url]);
  useEffect(() => {
    if (preview !== undefined) return;
    const timer = setTimeout(() => void details.readPreview(url).catch(() => undefined), restMs);
    return () => clearTimeout(timer);
  }, [details, url, preview]);
  return preview ? <LinkCard preview={preview} /> : null;
}
