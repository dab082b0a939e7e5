import type { ReaderAnswers } from "../clients/reader-protocol.js";
import { startReaders } from "../clients/readers.js";
import { median, report } from "../measure.js";
import { residentBytes } from "../processes.js";
import { type BenchStack, withPool } from "../stack.js";
import { createRoom } from "../world.js";
import { startContestant } from "./contestants.js";
import type { GatewaySizes } from "./sizes.js";

const megabyte = 1_024 ** 2;

export interface ChurnRun {
  visits: ReaderAnswers["churn"];
  /** Resident memory of the gateway, sampled all along. */
  rssBytes: number[];
  /** Heap in use before, and after with all connections gone. */
  heapUsed: { before: number; after: number };
}

/** Connections that come and go: half of them say goodbye, the others are gone. */
export async function measureChurn(stack: BenchStack, { churn }: GatewaySizes): Promise<ChurnRun> {
  const room = await withPool(stack, (pool) => createRoom(pool, churn.users));
  const gateway = await startContestant(stack, "gateway", room);
  const readers = startReaders(1);
  const rssBytes: number[] = [];
  const sample = async () => rssBytes.push(await residentBytes(gateway.pid));
  let sampling: NodeJS.Timeout | undefined;
  try {
    const paths = Array.from({ length: churn.users }, (_, index) => gateway.path(index));
    const { perSecond, warmUpMs, durationMs, holdMs } = churn;
    await readers.churn(gateway, { paths, perSecond, durationMs: warmUpMs, holdMs });
    sampling = setInterval(() => void sample(), churn.sampleMs);
    const before = (await gateway.memory()).heapUsed;
    const visits = await readers.churn(gateway, { paths, perSecond, durationMs, holdMs });
    return { visits, rssBytes, heapUsed: { before, after: (await gateway.memory()).heapUsed } };
  } finally {
    clearInterval(sampling);
    await readers.stop();
    await gateway.stop();
  }
}

export function reportChurn({ visits, rssBytes, heapUsed }: ChurnRun, { churn }: GatewaySizes): void {
  const third = Math.ceil(rssBytes.length / 3);
  const inMegabytes = (bytes: number) => `${(bytes / megabyte).toFixed(1)} MB`;
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
