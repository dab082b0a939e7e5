import type { ServerProcess } from "@parley/local-stack";
import { bench } from "../bench.js";
import { Clients } from "../clients/clients.js";
import { check, reportHead, reportRow, runLanes } from "../measure.js";
import { createPoster } from "../poster.js";
import { cpuSeconds, cpuSecondsOf, familyCpuSeconds } from "../processes.js";
import { type BenchStack, withStack } from "../stack.js";
import { createRoom, type Room } from "../world.js";

const sizes = {
  /** Numbers of apis, and of gateways, that are measured one after another. */
  processes: [1, 2, 4],
  /** Requests at a time, each in a server of its own. */
  lanes: 32,
  seconds: 10,
};

/**
 * Events over outbox, stream and gateways with more and more processes. Every gateway follows every server, the worst
 * case for NATS. The rate ends where the machine's processors do; the processor time of each stage says where a
 * larger machine ends.
 */
export default bench({ sizes, quick: { processes: [2], lanes: 4, seconds: 1 } }, async (chosen) => {
  reportHead(["apis, gateways", "events/s", "µs of processor an event: apis", "each gateway", "PostgreSQL", "NATS"]);
  for (const processes of chosen.processes) {
    const { perSecond, micros } = await withStack({}, (stack) => measure(stack, processes, chosen));
    reportRow([processes, perSecond.toFixed(0), ...micros.map((each) => each.toFixed(0))]);
  }
});

async function measure(stack: BenchStack, processes: number, { lanes, seconds }: typeof sizes) {
  const [apis, gateways]: [ServerProcess[], ServerProcess[]] = [[], []];
  const rooms: Room[] = [];
  for (let n = 0; n < processes; n += 1) {
    apis.push(await stack.start("api"));
    gateways.push(await stack.start("gateway"));
  }
  while (rooms.length < lanes) rooms.push(await createRoom(stack.pool, 2));
  // One connection at every gateway for each room.
  const readers = new Clients(1);
  for (const gateway of gateways) {
    const paths = rooms.map(({ userIds: [, reader = ""] }) => stack.socketPath(reader, "&events=MESSAGE_CREATE"));
    await readers.connect([gateway], paths);
  }
  const senders = rooms.map(({ userIds: [author = ""], channelId }, n) => {
    const post = createPoster(apis[n % apis.length]?.url ?? "");
    const content = "The quick brown fox. ".repeat(5);
    return () => post(`/channels/${channelId}/messages`, { content }, stack.headers(author));
  });
  let sent = 0;
  const run = async (durationMs: number) => {
    await readers.begin({ payloadBytes: "all", timed: false });
    sent = 0;
    const { perSecond } = await runLanes({ lanes, durationMs }, async (lane) => {
      await senders[lane]?.();
      sent += 1;
    });
    const [collected] = await readers.collectAll(sent * gateways.length);
    check("frames at the sockets", collected?.counted, sent * gateways.length);
    return perSecond;
  };
  const { postgres, nats } = stack.servers;
  const cpu = async () => [
    await cpuSecondsOf(apis),
    (await cpuSecondsOf(gateways)) / gateways.length,
    await familyCpuSeconds(postgres.pid()),
    await cpuSeconds(nats.pid()),
  ];
  await run((seconds * 1_000) / 5);
  const before = await cpu();
  const perSecond = await run(seconds * 1_000);
  const micros = (await cpu()).map((used, stage) => ((used - (before[stage] ?? 0)) / sent) * 1e6);
  await readers.stop();
  return { perSecond, micros };
}
