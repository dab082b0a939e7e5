import { execFileSync } from "node:child_process";
import { Clients } from "./clients/clients.js";
import { gatewayDialect } from "./gateway/contestants.js";
import { upTo } from "./gateway/rounds.js";
import { percentile, report, sendSteadily } from "./measure.js";
import { createPoster } from "./poster.js";
import { type BenchStack, withStack } from "./stack.js";
import { createRoom } from "./world.js";

const serverCore = 0;
const clientCore = 1;
/** How long messages are sent at each rate. */
const seconds = 8;
/** A rate is carried when its messages arrive within so long. */
const backlogMs = 1_000;
const content = "x".repeat(200);

export interface RoomSizes {
  connected: number;
  /** Messages per second; the first only warms up. */
  rates: readonly number[];
}

const fullSizes: RoomSizes = { connected: 1_000, rates: [50, 50, 400, 600, 800, 1_000] };
export const quickSizes: RoomSizes = { connected: 20, rates: [20, 20] };

/** One room whose members are all connected; all server processes share one core, all clients have the other. */
export const benchRoom = (options: readonly string[]): Promise<void> =>
  withStack({}, async (stack) => {
    const sizes = options.includes("--quick") ? quickSizes : fullSizes;
    report(
      `one room of ${sizes.connected} connected, all server processes on one core, ${content.length} bytes by REST`,
    );
    const runs = await measureRoom(stack, sizes);
    for (const { perSecond, delivery, delaysMs, tookSeconds } of runs.slice(1))
      report(
        `  ${`${perSecond}/s`.padEnd(7)} from POST to socket p50 ${percentile(delaysMs, 0.5).toFixed(1)} ms, p99 ${percentile(delaysMs, 0.99).toFixed(1)} ms; ${percentile(delaysMs, 1) < backlogMs ? "carried" : `behind: all after ${tookSeconds.toFixed(1)} s`}; ${delivery.counted} of ${delivery.expected} frames  (goals: 8 and 25 ms at 50/s; 1,000/s)`,
      );
  });

export async function measureRoom(stack: BenchStack, { connected, rates }: RoomSizes) {
  const room = await createRoom(stack.pool, connected);
  const [api, gateway] = [await stack.start("api"), await stack.start("gateway")];
  const clients = new Clients(1);
  const { postgres, redis, nats } = stack.servers;
  try {
    for (const server of [postgres, redis, nats, api, gateway]) pin(server.pid(), serverCore);
    for (const pid of [process.pid, ...clients.pids]) pin(pid, clientCore);
    const target = { port: gateway.port, dialect: gatewayDialect };
    const paths = room.userIds.map((userId) => stack.socketPath(userId, "&presence=none&events=MESSAGE_CREATE"));
    await clients.connect(target, paths);
    const post = createPoster(api.url);
    const send = (n: number) => {
      const author = room.userIds[n % room.userIds.length] ?? "";
      return post(`/channels/${room.channelId}/messages`, { content }, stack.headers(author), "POST");
    };
    const runs = [];
    for (const perSecond of rates) {
      await clients.begin({ payloadBytes: "all" });
      const sentAt = await sendSteadily({ perSecond, isDone: upTo(perSecond * seconds) }, send);
      const delivery = await clients.finish(sentAt);
      const tookSeconds = (delivery.lastAt - (sentAt[0] ?? 0)) / 1_000;
      runs.push({ perSecond, delivery, delaysMs: delivery.delaysMs, tookSeconds });
    }
    return runs;
  } finally {
    await clients.stop();
  }
}

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
