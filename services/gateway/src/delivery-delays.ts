/** Events after which those before the last as many are forgotten. */
const generationSize = 5_000;

/** The parts of a received event that its delay depends on. */
interface Received {
  /** By `performance.now()`, as a connection reports it for the first of its waiting frames. */
  receivedAt: number;
  /** A UUID of version 7, made by PostgreSQL when the event was inserted; null for an event that is not stored. */
  readonly id: string | null;
}

/**
 * How long events take from the outbox to the sockets. Connections keep the arrival of their first waiting frame only,
 * so the ids of the latest events are kept by it: once for each event, whatever the number of connections.
 */
export class DeliveryDelays {
  #newer = new Map<number, string>();
  #older = new Map<number, string>();

  /** Keeps the id of an event that has arrived. */
  received({ receivedAt, id }: Received): void {
    if (id === null) return;
    this.#newer.set(receivedAt, id);
    if (this.#newer.size < generationSize) return;
    this.#older = this.#newer;
    this.#newer = new Map();
  }

  /**
   * Seconds since the event that arrived then was inserted, by the clocks of both machines; null when it is none of the
   * outbox.
   */
  secondsSinceInsert(receivedAt: number): number | null {
    const id = this.#newer.get(receivedAt) ?? this.#older.get(receivedAt);
    if (id === undefined) return null;
    const insertedAt = timeOfId(id);
    return insertedAt === null ? null : Math.max(0, Date.now() - insertedAt) / 1_000;
  }
}

/** Milliseconds since 1970 in a UUID of version 7; null for another id. */
export function timeOfId(id: string): number | null {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-7/.test(id) ? Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) : null;
}
