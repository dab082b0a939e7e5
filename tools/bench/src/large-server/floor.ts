import { Clients, type Delivery } from "../clients/clients.js";
import type { ServerFunctions } from "../gateway/servers.js";
import { joined, percentile, report } from "../measure.js";
import { startProgram } from "../program.js";
import type { LargeServerSizes } from "./sizes.js";

/** What this machine takes at least at one rate of frames, its clients included. */
export interface Floor {
  perSecond: number;
  deliveries: Delivery[];
}

const processes = 2;
/** The goal for a message. */
export const deliveryGoalMs = 100;
/** Rates to try below the one that is asked for, as shares of it, until one stays within the goal. */
const shares = [1, 0.75, 0.5, 0.25];

/**
 * What two processes that do nothing else take to write one frame to as many sockets as two gateways have, with the
 * same clients on the same processors. When that is more than the goal, also at the highest lower rate at which it is not.
 *
 * @param payloadBytes of a message's event
 * @returns by rate, the one that is asked for first, the one that stays within the goal last
 */
export async function measureFloor(sizes: LargeServerSizes, payloadBytes: number): Promise<Floor[]> {
  const pairs = Array.from({ length: processes }, () => ({
    server: startProgram<ServerFunctions>("gateway/servers"),
    clients: new Clients(1),
  }));
  const forBoth = <Result>(work: (pair: (typeof pairs)[number]) => Promise<Result>) => Promise.all(pairs.map(work));
  try {
    const paths = Array.from({ length: sizes.connected / processes }, () => "/");
    await forBoth(async ({ server, clients }) => {
      await clients.connect({ port: await server.call("silent"), dialect: { greeting: null, helloFrames: 0 } }, paths);
    });
    const floors: Floor[] = [];
    for (const share of shares) {
      const perSecond = sizes.messagesPerSecond * share;
      const deliveries = await forBoth(async ({ server, clients }) => {
        await clients.begin({ payloadBytes });
        return clients.finish(
          await server.call("write", payloadBytes, perSecond, Math.ceil(sizes.floorFrames * share)),
        );
      });
      floors.push({ perSecond, deliveries });
      if (p99Of(deliveries) <= deliveryGoalMs) break;
    }
    return floors;
  } finally {
    await Promise.all(pairs.flatMap(({ server, clients }) => [server.stop(), clients.stop()]));
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
