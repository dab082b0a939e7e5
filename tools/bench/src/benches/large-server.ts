import { bench } from "../bench.js";
import { type CrowdSizes, reportCrowd, reportFloor } from "../large-server/crowd.js";
import { operations } from "../large-server/operations.js";
import {
  createLargeServer,
  type LargeServer,
  type LargeServerWorld,
  messageBytes,
  startLargeServerWorld,
} from "../large-server/world.js";
import { median, report, reportHead, reportRow, timeOf } from "../measure.js";
import { withStack } from "../stack.js";
import { databaseMs, recordStatements } from "../statements.js";
import { insertUsers } from "../world.js";

interface Sizes extends CrowdSizes {
  /** Numbers of members at which the cost of each operation is measured; the largest has the crowd. */
  members: number[];
  /** How often each operation is measured at each of them. */
  repetitions: number;
  channels: number;
}

const sizes: Sizes = {
  ...{
    members: [100, 10_000, 100_000],
    repetitions: 30,
    channels: 50,
    connected: 10_000,
    perSecond: 20,
    messages: 600,
  },
  ...{ floorFrames: 200, comingPerSecond: 50, stayMs: 2_000, changes: 20, aloneSeconds: 10 },
};
const quick = {
  ...{ members: [100, 1_000], repetitions: 5, connected: 200, messages: 40, floorFrames: 20 },
  ...{ comingPerSecond: 10, stayMs: 300, changes: 3, aloneSeconds: 1 },
};

/**
 * One server of 100,000 members: the cost of operations in it and in smaller ones (`costs`, which may be chosen alone),
 * how long 10,000 of its members need to connect at once, and how late messages come to them while others come and go,
 * with both kinds of presence, beside the time of bare `ws` for the same frames.
 */
export default bench({ sizes, quick, words: ["costs"] }, (chosen, words) =>
  withStack({}, async (stack) => {
    await recordStatements(stack);
    const world = await startLargeServerWorld(stack);
    const servers: LargeServer[] = [];
    for (const members of chosen.members) servers.push(await createLargeServer(world.pool, members, chosen.channels));
    await reportCosts(world, servers, chosen);
    const server = servers.at(-1);
    if (words.includes("costs") || server === undefined) return;
    const payloadBytes = await messageBytes(world, server);
    const floors = await reportFloor(chosen, payloadBytes);
    const crowd = { world, server, sizes: chosen, payloadBytes, floors };
    for (const query of ["presence=subscribed", ""]) await reportCrowd(crowd, query);
  }),
);

/** Prints the cost of each operation in servers of growing size, with members that are connected only briefly. */
async function reportCosts(world: LargeServerWorld, servers: readonly LargeServer[], { members, repetitions }: Sizes) {
  const strangers = await insertUsers(world.pool, repetitions);
  report(`caller's median / database's mean milliseconds of ${repetitions}, in servers of so many members`);
  reportHead(["operation", ...members]);
  for (const [name, operation] of Object.entries(operations)) {
    const times = Math.min(operation.repetitionsMax ?? repetitions, repetitions);
    const cells: string[] = [];
    for (const server of servers) {
      // Operations kick their own accounts, and ban strangers; both leave nothing that the next operation needs.
      const made = (await operation.prepare?.(world, server, times)) ?? strangers;
      const before = await databaseMs(world.pool);
      const latencies: number[] = [];
      for (let n = 0; n < times; n += 1) latencies.push(await timeOf(() => operation.run(world, server, n, made)));
      const ofDatabase = ((await databaseMs(world.pool)) - before) / times;
      cells.push(`${median(latencies).toFixed(1)} / ${ofDatabase.toFixed(2)}`);
    }
    reportRow([name, ...cells]);
  }
}
