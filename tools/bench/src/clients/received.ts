import { ascending } from "../measure.js";
import type { Audience } from "../world.js";
import type { Collected } from "./clients.js";

/** Which client got which event, and when. */
type Arrivals = Pick<Collected, "clients" | "events" | "arrivedAt">;

/** The events that each client is to get, of those that went to audiences in turns. */
export function expectedOf(audiences: readonly Audience[], published: number): Map<number, number[]> {
  const expected = new Map<number, number[]>();
  for (let event = 0; event < published; event += 1) {
    for (const client of audiences[event % audiences.length]?.members ?? []) addTo(expected, client, event);
  }
  return expected;
}

/**
 * The frames that clients got, compared with their due ones.
 *
 * @param begunAnew clients that have to read their missed data again after a READY
 */
export function receivedOf(
  expected: ReadonlyMap<number, readonly number[]>,
  audiences: number,
  collected: readonly Arrivals[],
  begunAnew: ReadonlySet<number>,
) {
  const got = new Map<number, number[]>();
  for (const { clients, events } of collected) {
    for (const [index, client] of clients.entries()) addTo(got, client, events[index] ?? Number.NaN);
  }
  const received = {
    expected: 0,
    lost: 0,
    /** Not sent to clients that began anew with READY. */
    skipped: 0,
    repeated: 0,
    /** Events that came after a later one of the same server. */
    unordered: 0,
    /** Events of servers without a membership of the client. */
    foreign: 0,
  };
  for (const client of new Set([...expected.keys(), ...got.keys()])) {
    const [wanted, events] = [expected.get(client) ?? [], got.get(client) ?? []];
    const seen = new Set(events);
    const missing = wanted.filter((event) => !seen.has(event)).length;
    received.expected += wanted.length;
    received[begunAnew.has(client) ? "skipped" : "lost"] += missing;
    received.repeated += events.length - seen.size;
    received.foreign += seen.size - (wanted.length - missing);
    received.unordered += countUnordered(events, audiences);
  }
  return received;
}

/**
 * From the sending of each event to its arrivals, ascending.
 *
 * @param sent only events that were sent from then to then; without it all
 */
export function delaysBetween(
  collected: readonly Arrivals[],
  sentAt: readonly number[],
  sent = { from: 0, to: Number.POSITIVE_INFINITY },
): Float64Array {
  const delays: number[] = [];
  for (const { events, arrivedAt } of collected) {
    for (const [index, event] of events.entries()) {
      const at = sentAt[event] ?? Number.NaN;
      if (at >= sent.from && at <= sent.to) delays.push((arrivedAt[index] ?? Number.NaN) - at);
    }
  }
  return ascending(delays);
}

function addTo(lists: Map<number, number[]>, key: number, value: number): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
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
