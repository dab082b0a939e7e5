import type { Audience } from "../world.js";
import type { Collected } from "./clients.js";

/** What clients got of events that went to audiences in turns, compared with what they were to get. */
export interface Received {
  expected: number;
  lost: number;
  /** Not sent to clients that began anew with READY. */
  skipped: number;
  repeated: number;
  /** Events that came after a later one of the same server. */
  unordered: number;
  /** Events of servers of which the client is no member. */
  foreign: number;
}

/** How many of the first events each client is to get. */
export function expectedOf(audiences: readonly Audience[], published: number): (client: number) => number {
  const counts = new Map<number, number>();
  for (let event = 0; event < published; event += 1) {
    for (const client of audiences[event % audiences.length]?.members ?? []) {
      counts.set(client, (counts.get(client) ?? 0) + 1);
    }
  }
  return (client) => counts.get(client) ?? 0;
}

/** @param begunAnew clients that a READY told to read again what they missed */
export function receivedOf(
  audiences: readonly Audience[],
  published: number,
  arrivals: readonly Collected[],
  begunAnew: ReadonlySet<number>,
): Received {
  const received: Received = { expected: 0, lost: 0, skipped: 0, repeated: 0, unordered: 0, foreign: 0 };
  const inOrder = ordersByClient(arrivals);
  const seen = new Map<number, Set<number>>();
  for (const [client, events] of inOrder) {
    seen.set(client, new Set(events));
    received.unordered += countUnordered(events, audiences.length);
    received.repeated += events.length - new Set(events).size;
    received.foreign += new Set(events).size;
  }
  for (let event = 0; event < published; event += 1) {
    for (const client of audiences[event % audiences.length]?.members ?? []) {
      received.expected += 1;
      if (seen.get(client)?.has(event)) received.foreign -= 1;
      else if (begunAnew.has(client)) received.skipped += 1;
      else received.lost += 1;
    }
  }
  return received;
}

/**
 * From the sending of each event to its arrivals, ascending.
 *
 * @param sent.from only events sent from then on
 */
export function delaysBetween(
  arrivals: readonly Collected[],
  sentAt: readonly number[],
  sent: { from: number; to: number },
): Float64Array {
  const delays: number[] = [];
  for (const { events, arrivedAt } of arrivals) {
    for (const [index, event] of events.entries()) {
      const at = sentAt[event] ?? Number.NaN;
      if (at >= sent.from && at <= sent.to) delays.push((arrivedAt[index] ?? Number.NaN) - at);
    }
  }
  return Float64Array.from(delays).sort();
}

/** What each client got, in the order of arrival. */
function ordersByClient(arrivals: readonly Collected[]): Map<number, number[]> {
  const orders = new Map<number, number[]>();
  for (const { clients, events } of arrivals) {
    for (const [index, client] of clients.entries()) {
      const order = orders.get(client) ?? [];
      order.push(events[index] ?? Number.NaN);
      orders.set(client, order);
    }
  }
  return orders;
}

function countUnordered(events: readonly number[], audiences: number): number {
  const latest = new Map<number, number>();
  let unordered = 0;
  for (const event of events) {
    const audience = event % audiences;
    if (event < (latest.get(audience) ?? -1)) unordered += 1;
    else latest.set(audience, event);
  }
  return unordered;
}
