import { createAccessTokens } from "@parley/auth";
import { gatewayPaths } from "@parley/contracts";
import type { ServerProcess } from "@parley/local-stack";
import { WebSocket } from "ws";
import { report, runLanes } from "./measure.js";
import { createPoster } from "./poster.js";
import { cpuSeconds, familyCpuSeconds } from "./processes.js";
import { type BenchStack, startBenchStack, withPool } from "./stack.js";
import { createRoom, type Room } from "./world.js";

/** How much the benchmark does. */
export interface CeilingSizes {
  /** Numbers of apis, and of gateways, that are measured one after another. */
  processes: readonly number[];
  /** Requests at a time, each in a server of its own. */
  lanes: number;
  durationMs: number;
}

const fullSizes: CeilingSizes = { processes: [1, 2, 4], lanes: 32, durationMs: 10_000 };
/** Enough to see that all is counted. */
export const quickSizes: CeilingSizes = { processes: [1, 2], lanes: 4, durationMs: 1_000 };

/** What events on the way from the request to every gateway take with some number of apis and gateways. */
export interface Ceiling {
  processes: number;
  perSecond: number;
  sent: number;
  /** Frames at the sockets; each gateway has one in every server. */
  delivered: number;
  /** Microseconds of processor time an event: of all apis, of each gateway, of the servers. */
  cpuMicros: Record<"apis" | "gateway" | "postgres" | "nats", number>;
}

/**
 * Events over outbox, stream and gateways with more and more processes. Every gateway follows every server, the worst
 * case for NATS. The rate ends where the machine's processors do; the processor time of each stage says where a
 * larger machine ends.
 *
 * @param options `--quick` for sizes that only show that it works
 */
export async function benchStreamCeiling(options: readonly string[]): Promise<void> {
  const sizes = options.includes("--quick") ? quickSizes : fullSizes;
  report("| apis, gateways | events/s | µs of processor an event: apis | each gateway | PostgreSQL | NATS |");
  report("|---|---|---|---|---|---|");
  for (const processes of sizes.processes) {
    const { perSecond, cpuMicros } = await measureCeiling(processes, sizes);
    const cells = [cpuMicros.apis, cpuMicros.gateway, cpuMicros.postgres, cpuMicros.nats].map((us) => us.toFixed(0));
    report(`| ${processes} | ${perSecond.toFixed(0)} | ${cells.join(" | ")} |`);
  }
}

export async function measureCeiling(processes: number, sizes: CeilingSizes): Promise<Ceiling> {
  const stack = await startBenchStack();
  try {
    const apis: ServerProcess[] = [];
    const gateways: ServerProcess[] = [];
    for (let n = 0; n < processes; n += 1) {
      apis.push(await stack.start("api"));
      gateways.push(await stack.start("gateway"));
    }
    const rooms = await withPool(stack, async (pool) => {
      const made: Room[] = [];
      for (let n = 0; n < sizes.lanes; n += 1) made.push(await createRoom(pool, 2));
      return made;
    });
    return { processes, ...(await measure(stack, { apis, gateways, rooms }, sizes)) };
  } finally {
    await stack.stop();
  }
}

async function measure(
  stack: BenchStack,
  { apis, gateways, rooms }: { apis: ServerProcess[]; gateways: ServerProcess[]; rooms: Room[] },
  { lanes, durationMs }: CeilingSizes,
): Promise<Omit<Ceiling, "processes">> {
  const tokens = createAccessTokens({ secret: stack.jwtSecret, ttlSeconds: 60 * 60 });
  const readers = await connectReaders(gateways, rooms, (userId) => tokens.issue({ userId }));
  const senders = rooms.map(({ userIds: [author = ""], channelId }, n) => {
    const post = createPoster(apis[n % apis.length]?.url ?? "");
    const headers = { authorization: `Bearer ${tokens.issue({ userId: author })}` };
    return () => post(`/channels/${channelId}/messages`, { content: "The quick brown fox. ".repeat(5) }, headers);
  });
  let sent = 0;
  const send = async (lane: number) => {
    await senders[lane]?.();
    sent += 1;
  };
  try {
    await runLanes({ lanes, durationMs: durationMs / 5 }, send);
    await readers.delivered(sent * gateways.length);
    const [sentBefore, before] = [sent, await cpuOf(stack, apis, gateways)];
    const { perSecond } = await runLanes({ lanes, durationMs }, send);
    const delivered = (await readers.delivered(sent * gateways.length)) - sentBefore * gateways.length;
    const after = await cpuOf(stack, apis, gateways);
    const events = sent - sentBefore;
    const micros = (part: keyof typeof before) => ((after[part] - before[part]) / events) * 1e6;
    return {
      perSecond,
      sent: events,
      delivered,
      cpuMicros: {
        apis: micros("apis"),
        gateway: micros("gateways") / gateways.length,
        postgres: micros("postgres"),
        nats: micros("nats"),
      },
    };
  } finally {
    readers.close();
  }
}

async function cpuOf({ servers }: BenchStack, apis: readonly ServerProcess[], gateways: readonly ServerProcess[]) {
  const total = async (processes: readonly ServerProcess[]) =>
    (await Promise.all(processes.map(({ pid }) => cpuSeconds(pid())))).reduce((sum, seconds) => sum + seconds, 0);
  return {
    apis: await total(apis),
    gateways: await total(gateways),
    postgres: await familyCpuSeconds(servers.postgres.pid()),
    nats: await cpuSeconds(servers.nats.pid()),
  };
}

/** One connection at every gateway for each room, and the messages that they have got. */
async function connectReaders(
  gateways: readonly ServerProcess[],
  rooms: readonly Room[],
  issue: (userId: string) => string,
) {
  let count = 0;
  let onMessage = () => {};
  const sockets = gateways.flatMap(({ url }) =>
    rooms.map(({ userIds: [, reader = ""] }) => {
      const socket = new WebSocket(
        `${url.replace("http", "ws")}${gatewayPaths[0]}?token=${issue(reader)}&events=MESSAGE_CREATE`,
      );
      socket.on("message", () => {
        count += 1;
        onMessage();
      });
      return socket;
    }),
  );
  await Promise.all(
    sockets.map(
      (socket) =>
        new Promise((resolve, reject) => {
          socket.once("message", resolve);
          socket.once("error", reject);
        }),
    ),
  );
  // READY was the first of each.
  count -= sockets.length;
  return {
    /** Resolves with the number when there are so many. */
    async delivered(expected: number): Promise<number> {
      await new Promise<void>((resolve) => {
        onMessage = () => {
          if (count >= expected) resolve();
        };
        onMessage();
      });
      return count;
    },
    close() {
      for (const socket of sockets) socket.terminate();
    },
  };
}
