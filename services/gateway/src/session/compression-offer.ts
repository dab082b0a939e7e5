/** The gateway's answer to an offer of compression, in a client's words (RFC 7692, 7.1). */
export const acceptedOffer = "permessage-deflate; client_max_window_bits";

/** The parameters of an offer that is accepted; frames that connections share cannot meet others. */
const offered =
  /^permessage-deflate(?:\s*;\s*(?:client_no_context_takeover|client_max_window_bits(?:=(?:1[0-5]|"1[0-5]"))?))*$/i;

/**
 * Whether a client offers a compression that all connections can share: the server keeps its window from message to
 * message, and the client lets the gateway choose the window of its own messages, because one of 32 KB would cost more
 * than the connection.
 *
 * @param header `Sec-WebSocket-Extensions`, a comma-separated list of offers in the order of preference
 */
export function offersSharedCompression(header: string | undefined): boolean {
  const offers = (header ?? "").split(",").map((offer) => offer.trim());
  return offers.some((offer) => offered.test(offer) && /client_max_window_bits/i.test(offer));
}
