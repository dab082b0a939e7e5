import { type Messaging, type ReceivedEvent, readStored, storedRange } from "@parley/messaging";
import type { GatewayMetrics } from "../metrics.js";

/** A range of the stream that one server or user may have missed. */
export interface Gap {
  /** Pattern of the stored subjects concerned. */
  filter: string;
  /** First sequence that may be missing. */
  from: number;
  /** A sequence that is certainly missing; null when one only may be missing. */
  known: number | null;
  /** Last sequence that may be missing; the stream's newest when left out. */
  to?: number;
}

/** Reads gaps from the stream. */
export class GapFiller {
  constructor(private readonly options: { messaging: Messaging; metrics: GatewayMetrics }) {}

  /**
   * @returns false when the stream no longer has the missing events
   * @throws when NATS is unreachable; events passed to the handler before that count as delivered
   */
  async fill(
    { filter, from, known, to }: Gap,
    handler: (event: ReceivedEvent) => void | Promise<void>,
  ): Promise<boolean> {
    const { messaging, metrics } = this.options;
    const range = await storedRange(messaging);
    if (known !== null && known < range.firstSequence) return false;
    await readStored(messaging, { filter, from, to: to ?? range.lastSequence }, (event) => {
      metrics.eventsRecovered += 1;
      return handler(event);
    });
    metrics.gapsFilled += 1;
    return true;
  }
}
