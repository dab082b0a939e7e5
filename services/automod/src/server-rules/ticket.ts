/**
 * The api gives a message up with the ticket of the verdict: the reservations by the rules of docs/protocol/automod.md#11.2,
 * and the key under which the message counts for repetition. Three parts belong to the reservation, `-` for none; the
 * fourth is the key.
 */
export function writeTicket(reserved: string | null, judgementId: string, repetitionKey: string | null): string | null {
  if (repetitionKey === null) return reserved;
  return `${reserved ?? `${judgementId} - -`} ${repetitionKey}`;
}

export function readTicket(ticket: string): {
  /** Null when only the repetition counts. */
  ticket: string | null;
  judgementId: string;
  repetitionKey: string | null;
} {
  const [judgementId = "", text = "-", member = "-", repetitionKey = null] = ticket.split(" ");
  const isReserved = text !== "-" || member !== "-";
  return { ticket: isReserved ? `${judgementId} ${text} ${member}` : null, judgementId, repetitionKey };
}
