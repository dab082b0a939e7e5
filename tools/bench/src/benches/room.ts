import { execFileSync } from "node:child_process";
import { bench } from "../bench.js";
import { Clients } from "../clients/clients.js";
import { deliver } from "../clients/deliver.js";
import { percentile, percentilesInWords, report, sendSteadily, upTo } from "../measure.js";
import { createPoster } from "../poster.js";
import { withStack } from "../stack.js";
import { createRoom } from "../world.js";

const [serverCore, clientCore] = [0, 1];
/** A rate is carried when its messages arrive within so long. */
const backlogMs = 1_000;
const content = "x".repeat(200);

/** One room whose members are all connected; all server processes share one core, all clients have the other. */
export default bench(
  {
    /** Messages per second; the first rate only warms up. */
    sizes: { connected: 1_000, seconds: 8, rates: [50, 50, 400, 600, 800, 1_000] },
    quick: { connected: 20, seconds: 2, rates: [20, 20] },
  },
  ({ connected, seconds, rates }) =>
    withStack({}, async (stack) => {
      const room = await createRoom(stack.pool, connected);
      const [api, gateway] = [await stack.start("api"), await stack.start("gateway")];
      const [clients, post] = [new Clients(1), createPoster(api.url)];
      const { postgres, redis, nats } = stack.servers;
      for (const server of [postgres, redis, nats, api, gateway]) pin(server.pid(), serverCore);
      for (const pid of [process.pid, ...clients.pids]) pin(pid, clientCore);
      await clients.connect(
        [gateway],
        room.userIds.map((userId) => stack.socketPath(userId, "&presence=none&events=MESSAGE_CREATE")),
      );
      report(`one room of ${connected} connected, all server processes on one core, ${content.length} bytes by REST`);
      for (const [n, perSecond] of rates.entries()) {
        const send = (number: number) => {
          const author = stack.headers(room.userIds[number % connected] ?? "");
          return post(`/channels/${room.channelId}/messages`, { content }, author);
        };
        const pace = { perSecond, isDone: upTo(perSecond * seconds) };
        const { delaysMs, ...run } = await deliver(clients, [gateway], () => sendSteadily(pace, send));
        const isCarried = percentile(delaysMs, 1) < backlogMs;
        if (n > 0)
          report(
            `  ${`${perSecond}/s`.padEnd(7)} from POST to socket ${percentilesInWords(delaysMs)}; ${isCarried ? "carried" : `behind: all after ${run.seconds.toFixed(1)} s`}  (goals: 8 and 25 ms at 50/s; 1,000/s)`,
          );
      }
      await clients.stop();
    }),
);

/** Keeps a process, its threads and those that they start on one core. */
function pin(pid: number, core: number): void {
  for (const each of [pid, ...childrenOf(pid)]) execFileSync("taskset", ["-a", "-p", "-c", `${core}`, `${each}`]);
}

function childrenOf(pid: number): number[] {
  try {
    return execFileSync("pgrep", ["-P", `${pid}`], { encoding: "utf8" })
      .trim()
      .split("\n")
      .map(Number);
  } catch {
    return [];
  }
}
