import { median, report } from "../measure.js";
import { databaseMs } from "../statement-times.js";
import { insertUsers } from "../world.js";
import { operations } from "./operations.js";
import type { LargeServerSizes } from "./sizes.js";
import { createLargeServer, type LargeServer, type LargeServerWorld } from "./world.js";

/** What an operation costs in a server of some size. */
export interface Cost {
  callerMs: number;
  databaseMs: number;
}

/** What each operation costs, in the order of the servers' sizes, and the largest of the servers. */
export interface Costs {
  byOperation: Map<string, Cost[]>;
  largest: LargeServer;
}

/** Prints what each operation costs in servers of growing size, none of whose members is connected for long. */
export async function reportCosts(world: LargeServerWorld, sizes: LargeServerSizes): Promise<Costs> {
  const byOperation = new Map<string, Cost[]>();
  const servers: LargeServer[] = [];
  for (const members of sizes.members) servers.push(await createLargeServer(world.pool, members, sizes.channels));
  const strangers = await insertUsers(world.pool, sizes.repetitions);
  report(`caller's median / database's mean milliseconds of ${sizes.repetitions}, in servers of so many members`);
  report(`| operation | ${sizes.members.join(" | ")} |`);
  report(`|---|${sizes.members.map(() => "---").join("|")}|`);
  for (const [name, operation] of Object.entries(operations)) {
    const costs: Cost[] = [];
    for (const server of servers) {
      // Those who were kicked are banned as strangers; both leave nothing that the next operation needs.
      const repetitions = Math.min(operation.repetitionsMax ?? sizes.repetitions, sizes.repetitions);
      const made = (await operation.prepare?.(world, server, repetitions)) ?? strangers;
      costs.push(await measure(world, (n) => operation.run(world, server, n, made), repetitions));
    }
    byOperation.set(name, costs);
    const cells = costs.map(({ callerMs, databaseMs }) => `${callerMs.toFixed(1)} / ${databaseMs.toFixed(2)}`);
    report(`| ${name} | ${cells.join(" | ")} |`);
  }
  const largest = servers.at(-1);
  if (largest === undefined) throw new Error("no sizes");
  return { byOperation, largest };
}

async function measure(
  { pool }: LargeServerWorld,
  operation: (n: number) => Promise<unknown>,
  repetitions: number,
): Promise<Cost> {
  const before = await databaseMs(pool);
  const latencies: number[] = [];
  for (let n = 0; n < repetitions; n += 1) {
    const from = performance.now();
    await operation(n);
    latencies.push(performance.now() - from);
  }
  return { callerMs: median(latencies), databaseMs: ((await databaseMs(pool)) - before) / repetitions };
}
