import type { ServerProcess } from "@parley/local-stack";
import { WebSocket } from "ws";
import { reportHead, reportRow, runLanes, sum } from "./measure.js";
import { createPoster } from "./poster.js";
import { cpuSeconds, familyCpuSeconds } from "./processes.js";
import { type BenchStack, startBenchStack } from "./stack.js";
import { createRoom, type Room } from "./world.js";

/** How much the benchmark does. */
export type CeilingSizes = typeof fullSizes;

const fullSizes = {
  /** Numbers of apis, and of gateways, that are measured one after another. */
  processes: [1, 2, 4],
  /** Requests at a time, each in a server of its own. */
  lanes: 32,
  durationMs: 10_000,
};
/** Enough to see that all is counted. */
export const quickSizes: CeilingSizes = { processes: [2], lanes: 4, durationMs: 1_000 };

/**
 * Events over outbox, stream and gateways with more and more processes. Every gateway follows every server, the worst
 * case for NATS. The rate ends where the machine's processors do; the processor time of each stage says where a
 * larger machine ends.
 *
 * @param options `--quick` for sizes that only show that it works
 */
export async function benchStreamCeiling(options: readonly string[]): Promise<void> {
  const sizes = options.includes("--quick") ? quickSizes : fullSizes;
  reportHead(["apis, gateways", "events/s", "µs of processor an event: apis", "each gateway", "PostgreSQL", "NATS"]);
  for (const processes of sizes.processes) {
    const { perSecond, cpuMicros } = await measureCeiling(processes, sizes);
    const micros = [cpuMicros.apis, cpuMicros.gateway, cpuMicros.postgres, cpuMicros.nats].map((us) => us.toFixed(0));
    reportRow([processes, perSecond.toFixed(0), ...micros]);
  }
}

/** What events on the way from the request to every gateway take with some number of apis and gateways. */
export async function measureCeiling(processes: number, sizes: CeilingSizes) {
  const stack = await startBenchStack();
  try {
    const apis: ServerProcess[] = [];
    const gateways: ServerProcess[] = [];
    for (let n = 0; n < processes; n += 1) {
      apis.push(await stack.start("api"));
      gateways.push(await stack.start("gateway"));
    }
    const rooms: Room[] = [];
    while (rooms.length < sizes.lanes) rooms.push(await createRoom(stack.pool, 2));
    return await measure(stack, { apis, gateways, rooms }, sizes);
  } finally {
    await stack.stop();
  }
}

interface Setting {
  apis: readonly ServerProcess[];
  gateways: readonly ServerProcess[];
  rooms: readonly Room[];
}

async function measure(stack: BenchStack, { apis, gateways, rooms }: Setting, { lanes, durationMs }: CeilingSizes) {
  const readers = await connectReaders(stack, gateways, rooms);
  const senders = rooms.map(({ userIds: [author = ""], channelId }, n) => {
    const post = createPoster(apis[n % apis.length]?.url ?? "");
    const content = "The quick brown fox. ".repeat(5);
    return () => post(`/channels/${channelId}/messages`, { content }, stack.headers(author));
  });
  let sent = 0;
  const send = async (lane: number) => {
    await senders[lane]?.();
    sent += 1;
  };
  const cpu = async () => ({
    apis: sum(await Promise.all(apis.map(({ pid }) => cpuSeconds(pid())))),
    gateways: sum(await Promise.all(gateways.map(({ pid }) => cpuSeconds(pid())))),
    postgres: await familyCpuSeconds(stack.servers.postgres.pid()),
    nats: await cpuSeconds(stack.servers.nats.pid()),
  });
  try {
    await runLanes({ lanes, durationMs: durationMs / 5 }, send);
    await readers.delivered(sent * gateways.length);
    const [sentBefore, before] = [sent, await cpu()];
    const { perSecond } = await runLanes({ lanes, durationMs }, send);
    const delivered = (await readers.delivered(sent * gateways.length)) - sentBefore * gateways.length;
    const after = await cpu();
    const events = sent - sentBefore;
    const micros = (part: keyof typeof before) => ((after[part] - before[part]) / events) * 1e6;
    return {
      perSecond,
      sent: events,
      /** Frames at the sockets; each gateway has one in every server. */
      delivered,
      /** Microseconds of processor time an event: of all apis, of each gateway, of the servers. */
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

/** One connection at every gateway for each room, and the messages that they have got. */
async function connectReaders(stack: BenchStack, gateways: Setting["gateways"], rooms: Setting["rooms"]) {
  let count = 0;
  let onMessage = () => {};
  const sockets = gateways.flatMap(({ url }) =>
    rooms.map(({ userIds: [, reader = ""] }) => {
      const path = stack.socketPath(reader, "&events=MESSAGE_CREATE");
      return new WebSocket(url.replace("http", "ws") + path).on("message", () => {
        count += 1;
        onMessage();
      });
    }),
  );
  const delivered = (expected: number) =>
    new Promise<number>((resolve) => {
      onMessage = () => {
        if (count >= expected) resolve(count);
      };
      onMessage();
    });
  // READY is the first of each.
  await delivered(sockets.length);
  count = 0;
  return {
    /** Resolves with the number when there are so many. */
    delivered,
    close() {
      for (const socket of sockets) socket.terminate();
    },
  };
}
