import { median, report, reportHead, reportRow, timeOf } from "../measure.js";
import { withStack } from "../stack.js";
import { databaseMs, recordStatements } from "../statement-times.js";
import { insertUsers } from "../world.js";
import { reportCrowd } from "./crowd.js";
import { measureFloor, reportFloor } from "./floor.js";
import { reportJoins } from "./joins.js";
import { operations } from "./operations.js";
import { reportPrivateChannel } from "./private-channel.js";
import { fullSizes, type LargeServerSizes, quickSizes } from "./sizes.js";
import {
  createLargeServer,
  type LargeServer,
  type LargeServerWorld,
  messageBytes,
  startLargeServerWorld,
} from "./world.js";

/**
 * One server of 100,000 members: what operations cost in it and in smaller ones, how long 10,000 of its members need to
 * connect at once, and how late messages come to them while others come and go, with both kinds of presence, beside what
 * the machine takes for the same frames without Parley.
 *
 * @param options `--quick` for sizes that only show that it works; `--costs` for the operations alone,
 *   `--joins` for what joins cost those who have not asked for them, `--private` for making a channel private
 */
export async function benchLargeServer(options: readonly string[]): Promise<void> {
  const sizes = options.includes("--quick") ? quickSizes : fullSizes;
  await withStack({}, async (stack) => {
    await recordStatements(stack);
    const world = await startLargeServerWorld(stack);
    if (options.includes("--joins")) {
      const server = await createLargeServer(world.pool, sizes.connected + 1, sizes.channels);
      await reportJoins(world, server, { sizes, payloadBytes: await messageBytes(world, server) });
      return;
    }
    if (options.includes("--private")) {
      await reportPrivateChannel(
        world,
        await createLargeServer(world.pool, sizes.connected + 1, sizes.channels),
        sizes,
      );
      return;
    }
    const { largest } = await reportCosts(world, sizes);
    if (options.includes("--costs")) return;
    const payloadBytes = await messageBytes(world, largest);
    const floors = await measureFloor(sizes, payloadBytes);
    reportFloor(floors, sizes, payloadBytes);
    const surroundings = { world, server: largest, sizes, payloadBytes, floors };
    for (const query of ["presence=subscribed", ""]) await reportCrowd(surroundings, query);
    await reportPrivateChannel(world, largest, sizes);
  });
}

/**
 * Prints what each operation costs in servers of growing size, none of whose members is connected for long.
 *
 * @returns the costs in the order of the servers' sizes, and the largest of the servers
 */
export async function reportCosts(world: LargeServerWorld, sizes: LargeServerSizes) {
  const byOperation = new Map<string, { callerMs: number; databaseMs: number }[]>();
  const servers: LargeServer[] = [];
  for (const members of sizes.members) servers.push(await createLargeServer(world.pool, members, sizes.channels));
  const strangers = await insertUsers(world.pool, sizes.repetitions);
  report(`caller's median / database's mean milliseconds of ${sizes.repetitions}, in servers of so many members`);
  reportHead(["operation", ...sizes.members]);
  for (const [name, operation] of Object.entries(operations)) {
    const repetitions = Math.min(operation.repetitionsMax ?? sizes.repetitions, sizes.repetitions);
    const costs: { callerMs: number; databaseMs: number }[] = [];
    for (const server of servers) {
      // Those who were kicked are banned as strangers; both leave nothing that the next operation needs.
      const made = (await operation.prepare?.(world, server, repetitions)) ?? strangers;
      const before = await databaseMs(world.pool);
      const latencies: number[] = [];
      for (let n = 0; n < repetitions; n += 1) {
        latencies.push(await timeOf(() => operation.run(world, server, n, made)));
      }
      const ofDatabase = ((await databaseMs(world.pool)) - before) / repetitions;
      costs.push({ callerMs: median(latencies), databaseMs: ofDatabase });
    }
    byOperation.set(name, costs);
    reportRow([name, ...costs.map((cost) => `${cost.callerMs.toFixed(1)} / ${cost.databaseMs.toFixed(2)}`)]);
  }
  const largest = servers.at(-1);
  if (largest === undefined) throw new Error("no sizes");
  return { byOperation, largest };
}
