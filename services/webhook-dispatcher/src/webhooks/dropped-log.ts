import { statementBatchMax } from "../attempts/limits.js";
import type { DeliveryRows, DroppedDelivery } from "./delivery-rows.js";
import { deliveriesLoggedMax, droppedPauseFactor, droppedPauseMs } from "./limits.js";

/** A dropped delivery that is not in the log yet. */
interface Unwritten {
  readonly delivery: DroppedDelivery;
  readonly settle: { readonly resolve: () => void; readonly reject: (error: unknown) => void };
}

/**
 * Writes dropped deliveries to the logs of their webhooks, one statement at a time, and pauses after each one: a server
 * with ten webhooks that hang drops two thousand deliveries a second, which must not occupy the database.
 *
 * Of each webhook only the newest wait, as many as its log keeps: older ones would be trimmed from the log right after they
 * were written.
 */
export class DroppedLog {
  readonly #rows: Pick<DeliveryRows, "drop">;
  readonly #onWritten: (webhookId: string) => void;
  /** By webhook, oldest first; webhooks are written in rotation. */
  readonly #unwritten = new Map<string, Unwritten[]>();
  #writing = false;

  /** @param options.onWritten is called for each webhook whose log became longer */
  constructor(options: { rows: Pick<DeliveryRows, "drop">; onWritten: (webhookId: string) => void }) {
    this.#rows = options.rows;
    this.#onWritten = options.onWritten;
  }

  /**
   * Resolves when the log has the delivery, or has as many newer ones that it would not keep it.
   *
   * @throws the error of the write
   */
  add(delivery: DroppedDelivery): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting = this.#unwritten.get(delivery.webhookId) ?? [];
      this.#unwritten.set(delivery.webhookId, waiting);
      waiting.push({ delivery, settle: { resolve, reject } });
      if (waiting.length > deliveriesLoggedMax) waiting.shift()?.settle.resolve();
      if (!this.#writing) void this.#write();
    });
  }

  async #write(): Promise<void> {
    this.#writing = true;
    while (this.#unwritten.size > 0) {
      const batch = this.#takeBatch();
      const startedAt = performance.now();
      try {
        await this.#rows.drop(batch.map(({ delivery }) => delivery));
        for (const { delivery, settle } of batch) {
          this.#onWritten(delivery.webhookId);
          settle.resolve();
        }
      } catch (error) {
        for (const { settle } of batch) settle.reject(error);
      }
      const pauseMs = Math.max(droppedPauseMs, (performance.now() - startedAt) * droppedPauseFactor);
      await new Promise((resolve) => setTimeout(resolve, pauseMs).unref());
    }
    this.#writing = false;
  }

  #takeBatch(): Unwritten[] {
    const batch: Unwritten[] = [];
    for (const [webhookId, waiting] of this.#unwritten) {
      batch.push(...waiting.splice(0, statementBatchMax - batch.length));
      if (waiting.length === 0) this.#unwritten.delete(webhookId);
      if (batch.length === statementBatchMax) break;
    }
    return batch;
  }
}
