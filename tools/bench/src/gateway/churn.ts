import { Clients, type Visits } from "../clients/clients.js";
import { median, report } from "../measure.js";
import { residentBytes } from "../processes.js";
import type { BenchStack } from "../stack.js";
import { createRoom } from "../world.js";
import { startContestant } from "./contestants.js";
import type { GatewaySizes } from "./sizes.js";

export interface ChurnRun {
  visits: Visits;
  /** Resident memory of the gateway, sampled all along. */
  rssBytes: number[];
  /** Heap in use before, and after with all connections gone. */
  heapUsed: { before: number; after: number };
}

/** Connections that come and go: half of them say goodbye, the others are gone. */
export async function measureChurn(stack: BenchStack, { churn }: GatewaySizes): Promise<ChurnRun> {
  const gateway = await startContestant(stack, "gateway", await createRoom(stack.pool, churn.users));
  const clients = new Clients(1);
  const rssBytes: number[] = [];
  let sampling: NodeJS.Timeout | undefined;
  try {
    const { warmUpMs, durationMs, ...pace } = { ...churn, paths: gateway.paths(churn.users) };
    await clients.churn(gateway, { ...pace, durationMs: warmUpMs });
    sampling = setInterval(async () => rssBytes.push(await residentBytes(gateway.pid)), churn.sampleMs);
    const before = (await gateway.memory()).heapUsed;
    const visits = await clients.churn(gateway, { ...pace, durationMs });
    return { visits, rssBytes, heapUsed: { before, after: (await gateway.memory()).heapUsed } };
  } finally {
    clearInterval(sampling);
    await clients.stop();
    await gateway.stop();
  }
}

export function reportChurn({ visits, rssBytes, heapUsed }: ChurnRun, { churn }: GatewaySizes): void {
  const third = Math.ceil(rssBytes.length / 3);
  const inMegabytes = (bytes: number) => `${(bytes / 1_024 ** 2).toFixed(1)} MB`;
  const [first, middle, last] = [rssBytes.slice(0, third), rssBytes.slice(third, -third), rssBytes.slice(-third)];
  report(
    `churn: ${churn.perSecond} connects and disconnects per second for ${(churn.durationMs / 60_000).toFixed(1)} min, after ${churn.warmUpMs / 1_000} s of warming up`,
  );
  report(`  ${visits.opened} opened, ${visits.ready} got READY, ${visits.failed} failed`);
  report(
    `  RSS in the first, middle and last third: ${[first, middle, last].map((part) => inMegabytes(median(part))).join(", ")}; last / first ${(median(last) / median(first)).toFixed(2)}  (goal: 1, flat)`,
  );
  report(`  heap in use before ${inMegabytes(heapUsed.before)}, after ${inMegabytes(heapUsed.after)} (with garbage)`);
}
