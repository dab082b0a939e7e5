import { type Database, defineStatement, type RawRow } from "@parley/database";
import { type Messaging, publishStored } from "@parley/messaging";
import { z } from "zod";
import type { OutboxRow } from "./append.js";
import { sweepAckTimeoutMs, sweepBatchMax, sweepIntervalMs, sweepMinAgeMs, sweepRetryMs } from "./limits.js";
import type { OutboxLogger } from "./outbox.js";

/** Rows in the order in which they were written. */
const pendingStatement = defineStatement({
  name: "outbox_pending",
  text: `SELECT id, subject, payload, headers::text AS headers
    FROM outbox
    WHERE created_at <= now() - make_interval(secs => $1::float8 / 1000)
    ORDER BY id
    LIMIT $2
    FOR UPDATE SKIP LOCKED`,
  row: (row: RawRow): OutboxRow => ({
    id: String(row.id),
    subject: String(row.subject),
    body: String(row.payload),
    headers: headersSchema.parse(JSON.parse(String(row.headers ?? "{}"))),
  }),
});
const headersSchema = z.record(z.string(), z.string());

/** One relay at a time in all processes: two would mix the order of what they publish. */
const lockStatement = defineStatement({
  name: "outbox_relay_lock",
  text: "SELECT pg_try_advisory_xact_lock(hashtext('parley.outbox.relay')) AS locked",
  row: (row: RawRow) => row.locked === true,
});

const deleteSweptStatement = defineStatement({
  name: "outbox_delete_swept",
  text: "DELETE FROM outbox WHERE id = ANY($1::uuid[])",
});

type Sweep = "empty" | "more" | "failed" | "busy";

/**
 * Publishes what a crash or an outage left in the outbox, in the order in which it was written.
 *
 * States:
 * - *direct*: writers publish their own events; the relay looks now and then for rows that a dead process left.
 * - *draining*: a publish failed or NATS was away. Writers leave their events to the relay, so that none overtakes an
 *   older one, until a sweep finds the outbox empty.
 */
export class OutboxRelay {
  readonly #database: Database;
  readonly #messaging: Messaging;
  readonly #logger: OutboxLogger;
  readonly #forgetConnection: () => void;
  #draining = false;
  #wanted = false;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | null = null;
  #closed = false;

  constructor(options: { database: Database; messaging: Messaging; logger: OutboxLogger }) {
    this.#database = options.database;
    this.#messaging = options.messaging;
    this.#logger = options.logger;
    this.#forgetConnection = this.#messaging.onConnectionChange((connected) => {
      if (connected) this.drain();
      else this.#draining = true;
    });
    this.#schedule(sweepIntervalMs);
  }

  /** Whether writers must leave their events to the relay. */
  get draining(): boolean {
    return this.#draining;
  }

  /** Switches to *draining* and sweeps at once. */
  drain(): void {
    this.#draining = true;
    this.#wanted = true;
    if (this.#running === null) this.#schedule(0);
  }

  /** Lets the sweep under way finish, then stops. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#forgetConnection();
    clearTimeout(this.#timer);
    await this.#running;
  }

  #schedule(delayMs: number): void {
    clearTimeout(this.#timer);
    if (this.#closed) return;
    this.#timer = setTimeout(() => {
      this.#running = this.#run().finally(() => {
        this.#running = null;
      });
    }, delayMs);
  }

  async #run(): Promise<void> {
    this.#wanted = false;
    const outcome = await this.#sweep();
    if (outcome === "empty" && !this.#wanted) this.#draining = false;
    if (outcome === "more") this.#schedule(0);
    else if (this.#draining) this.#schedule(outcome === "empty" ? 0 : sweepRetryMs);
    else this.#schedule(sweepIntervalMs);
  }

  async #sweep(): Promise<Sweep> {
    if (!this.#messaging.connected) return "failed";
    const minAgeMs = this.#draining ? 0 : sweepMinAgeMs;
    try {
      return await this.#database.transaction(async (transaction): Promise<Sweep> => {
        const [locked] = await transaction.query(lockStatement, []);
        if (locked !== true) return "busy";
        const rows = await transaction.query(pendingStatement, [minAgeMs, sweepBatchMax]);
        if (rows.length === 0) return "empty";
        const stored = await this.#publish(rows);
        await transaction.execute(deleteSweptStatement, [stored]);
        this.#logger.info(
          { events: stored.length, left: rows.length - stored.length },
          "published events from the outbox",
        );
        return stored.length < rows.length ? "failed" : "more";
      });
    } catch (error) {
      this.#logger.warn({ err: error }, "the outbox could not be swept");
      return "failed";
    }
  }

  /** Publishes all rows at once: the connection keeps their order. Returns the ids up to the first one without an ack. */
  async #publish(rows: readonly OutboxRow[]): Promise<string[]> {
    const results = await Promise.allSettled(rows.map((row) => publishStored(this.#messaging, row, sweepAckTimeoutMs)));
    const firstFailure = results.findIndex((result) => result.status === "rejected");
    return (firstFailure === -1 ? rows : rows.slice(0, firstFailure)).map((row) => row.id);
  }
}
