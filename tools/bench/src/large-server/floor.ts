import { type Delivery, joined, startReaders } from "../clients/readers.js";
import { percentile, report } from "../measure.js";
import { forkBenchChild } from "../program.js";
import { BareAnswer, type BareCommand, BareListening } from "./bare-protocol.js";
import type { LargeServerSizes } from "./sizes.js";

/** What this machine takes at least at one rate of frames, its clients included. */
export interface Floor {
  perSecond: number;
  deliveries: Delivery[];
}

const dialect = { greeting: null, helloFrames: 0 };
const inFlightMax = 64;
const processes = 2;
/** The goal for a message. */
export const deliveryGoalMs = 100;
/** Rates to try below the one that is asked for, as shares of it, until one stays within the goal. */
const shares = [1, 0.75, 0.5, 0.25];

/**
 * What two processes that do nothing else take to write one frame to as many sockets as two gateways have, with the
 * same readers on the same processors. When that is more than the goal, also at the highest lower rate at which it is not.
 *
 * @param payloadBytes of a message's event
 * @returns by rate, the one that is asked for first, the one that stays within the goal last
 */
export async function measureFloor(sizes: LargeServerSizes, payloadBytes: number): Promise<Floor[]> {
  const pairs = Array.from({ length: processes }, () => ({
    server: forkBenchChild("large-server/bare-process"),
    readers: startReaders(1),
  }));
  try {
    const paths = Array.from({ length: sizes.connected / processes }, () => "/");
    await Promise.all(
      pairs.map(async ({ server, readers }) => {
        const { port } = await server.receive(BareListening);
        await readers.connectPaths({ port, dialect }, paths, inFlightMax);
      }),
    );
    const floors: Floor[] = [];
    for (const share of shares) {
      const perSecond = sizes.messagesPerSecond * share;
      const command = { payloadBytes, perSecond, frames: Math.ceil(sizes.floorFrames * share) } satisfies BareCommand;
      const deliveries = await Promise.all(
        pairs.map(async ({ server, readers }) => {
          await readers.begin({ payloadBytes: () => payloadBytes }, { body: "", timed: true });
          const { sentAt } = await server.ask(command, BareAnswer);
          return readers.finish(sentAt);
        }),
      );
      floors.push({ perSecond, deliveries });
      if (p99Of(deliveries) <= deliveryGoalMs) break;
    }
    return floors;
  } finally {
    await Promise.all(pairs.flatMap(({ server, readers }) => [server.stop(), readers.stop()]));
  }
}

export function reportFloor(floors: readonly Floor[], sizes: LargeServerSizes, payloadBytes: number): void {
  report(
    `floor: ${processes} processes of ws alone, one frame of ${payloadBytes} bytes to ${sizes.connected / processes} sockets each`,
  );
  for (const { perSecond, deliveries } of floors) {
    const values = (share: number) =>
      deliveries.map(({ delaysMs }) => percentile(delaysMs, share).toFixed(1)).join(" and ");
    report(`  ${perSecond} frames/s: from the write to the socket p50 ${values(0.5)} ms, p99 ${values(0.99)} ms`);
  }
}

/** Of all sockets together. */
export function p99Of(deliveries: readonly Delivery[]): number {
  return percentile(joined(deliveries.map(({ delaysMs }) => delaysMs)), 0.99);
}
