import { setTimeout as pause } from "node:timers/promises";
import { bench } from "../bench.js";
import { Clients } from "../clients/clients.js";
import { report } from "../measure.js";
import { collectGarbage, memoryOf, usedBytes } from "../processes.js";
import { withStack } from "../stack.js";
import { createRoom } from "../world.js";

/** Memory of connections that only wait, each of another user, without a number and with one. */
export default bench(
  { sizes: { sockets: 15_000, servers: 30, settleSeconds: 12 }, quick: { sockets: 50, servers: 2, settleSeconds: 0 } },
  ({ sockets, servers, settleSeconds }) =>
    withStack({}, async (stack) => {
      const userIds: string[] = [];
      while (userIds.length < sockets) userIds.push(...(await createRoom(stack.pool, sockets / servers)).userIds);
      report(`${sockets} connections that wait, each of another user, in ${servers} servers; garbage collected`);
      for (const [name, query] of [
        ["not numbered", ""],
        ["numbered", "&s="],
      ] as const) {
        const [gateway, clients] = [await stack.start("gateway"), new Clients(2)];
        const weigh = async () => {
          await collectGarbage(gateway);
          return { used: await usedBytes(gateway), resident: (await memoryOf(gateway.pid())).resident };
        };
        const empty = await weigh();
        await clients.connect(
          [gateway],
          userIds.map((userId) => stack.socketPath(userId, query)),
        );
        await pause(settleSeconds * 1_000);
        const all = await weigh();
        const each = (key: keyof typeof all) => `${((all[key] - empty[key]) / sockets / 1_024).toFixed(2)} KB`;
        report(`  ${name.padEnd(12)} each ${each("resident")} of RSS  (goal: 12), ${each("used")} in use`);
        await clients.stop();
        await gateway.stop();
      }
    }),
);
