import { startBenchStack, withPool } from "../stack.js";
import { recordStatements } from "../statement-times.js";
import { reportCosts } from "./costs.js";
import { reportCrowd } from "./crowd.js";
import { measureFloor, reportFloor } from "./floor.js";
import { messageBytes } from "./messages.js";
import { fullSizes, quickSizes } from "./sizes.js";
import { startLargeServerWorld } from "./world.js";

/**
 * One server of 100,000 members: what operations cost in it and in smaller ones, how long 10,000 of its members need to
 * connect at once, and how late messages come to them while others come and go, with both kinds of presence, beside what
 * the machine takes for the same frames without Parley.
 *
 * @param options `--quick` for sizes that only show that it works; `--costs` for the operations alone
 */
export async function benchLargeServer(options: readonly string[]): Promise<void> {
  const sizes = options.includes("--quick") ? quickSizes : fullSizes;
  const stack = await startBenchStack();
  try {
    await recordStatements(stack);
    await withPool(stack, async (pool) => {
      const world = await startLargeServerWorld(stack, pool);
      const { largest } = await reportCosts(world, sizes);
      if (options.includes("--costs")) return;
      const payloadBytes = await messageBytes(world, largest);
      const floors = await measureFloor(sizes, payloadBytes);
      reportFloor(floors, sizes, payloadBytes);
      const surroundings = { world, server: largest, sizes, payloadBytes, floors };
      for (const query of ["presence=subscribed", ""]) await reportCrowd(surroundings, query);
    });
  } finally {
    await stack.stop();
  }
}
