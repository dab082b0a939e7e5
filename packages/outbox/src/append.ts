import { findEvent, type OutboxRow, type OutgoingEvent, parseSubject } from "@parley/contracts";
import { defineStatement, type RawRow, rowsOfArrays, type Transaction } from "@parley/database";
import { eventBytesMax } from "./limits.js";

const appendStatement = defineStatement({
  name: "outbox_append",
  text: `INSERT INTO outbox (subject, payload, headers, order_key)
    SELECT subject, payload, headers::jsonb, order_key
    FROM ${rowsOfArrays("text", "text", "text", "uuid")} WITH ORDINALITY
      AS event (subject, payload, headers, order_key, position)
    ORDER BY position
    RETURNING id`,
  row: (row: RawRow) => String(row.id),
});

/** @throws Error when an event is larger than NATS takes, before anything of it is committed */
export function requireSendable({ name, body, headers }: Pick<OutgoingEvent, "name" | "body" | "headers">): void {
  const bytes = Buffer.byteLength(body) + Buffer.byteLength(JSON.stringify(headers));
  if (bytes > eventBytesMax) throw new Error(`${name} has ${bytes} bytes, and at most ${eventBytesMax} can be sent`);
}

/**
 * Inserts events in the caller's transaction, so they are committed together with the rows that they describe.
 *
 * @param events durable events, in the order in which they are to be published
 * @returns the rows to publish after the commit
 * @throws Error when one is larger than NATS takes, so that the transaction rolls back
 */
export async function appendEvents(transaction: Transaction, events: readonly OutgoingEvent[]): Promise<OutboxRow[]> {
  if (events.length === 0) return [];
  for (const event of events) requireSendable(event);
  const ids = await transaction.query(appendStatement, [
    events.map((event) => event.subject),
    events.map((event) => event.body),
    events.map((event) => JSON.stringify(event.headers)),
    events.map((event) => event.orderKey),
  ]);
  return events.flatMap(({ subject, body, headers }, index) => {
    const id = ids[index];
    return id === undefined ? [] : [{ id, subject, body, headers }];
  });
}

/** Whether the event changes the rights of any user to view a channel or server. */
export function changesVisibility({ subject }: OutboxRow): boolean {
  return findEvent(parseSubject(subject)?.event ?? "")?.changesVisibility ?? false;
}
