import { z } from "zod";
import { type ClientStart, type Continued, startNumberedReaders } from "../clients/numbered-readers.js";
import { cpuSeconds } from "../processes.js";
import { forkBenchChild } from "../program.js";

/** How a server writes what one connection gets. */
export type Writes = "one" | "each";

/** What the machine allows: a server that does nothing but upgrade and write. */
export interface Floor {
  writes: Writes;
  continued: Continued;
  /** Of its processor, per connection. */
  cpuEachMs: number;
}

const Listening = z.object({ port: z.int() });

/**
 * The clients of a bare ws server that dies come to another one, which sends each of them so many events.
 *
 * @param processes as many of clients as in what is compared with it
 */
export async function measureFloor(
  clients: readonly ClientStart[],
  { events, processes, writes }: { events: number; processes: number; writes: Writes },
): Promise<Floor> {
  const [dying, other] = [
    forkBenchChild("gateway/bare-server"),
    forkBenchChild("gateway/bare-server", [String(events), writes]),
  ];
  const crowd = startNumberedReaders(processes);
  try {
    const [from, to] = [await dying.receive(Listening), await other.receive(Listening)];
    await crowd.connect(from.port, clients);
    await dying.stop();
    const before = await cpuSeconds(other.pid);
    const continued = await crowd.continue(to.port);
    const seconds = (await cpuSeconds(other.pid)) - before;
    return { writes, continued, cpuEachMs: (seconds / continued.answeredMs.length) * 1_000 };
  } finally {
    await Promise.all([crowd.stop(), dying.stop(), other.stop()]);
  }
}
