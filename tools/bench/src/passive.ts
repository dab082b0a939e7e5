import type { ServerProcess } from "@parley/local-stack";
import { waitUntil } from "@parley/testing";
import { Clients } from "./clients/clients.js";
import { delaysBetween, receivedOf } from "./clients/received.js";
import { resumableDialect } from "./gateway/contestants.js";
import { upTo } from "./gateway/rounds.js";
import { clockMs, numberOption, percentile, report, sendSteadily, sum } from "./measure.js";
import { createPoster } from "./poster.js";
import {
  collectGarbage,
  cpuSeconds,
  proportionalBytes,
  readMetrics,
  residentBytes,
  serviceMemory,
} from "./processes.js";
import { type BenchStack, withStack } from "./stack.js";
import { createRoom } from "./world.js";

/** How large the server is of which connections show one channel. */
export interface PassiveSizes {
  gateways: number;
  connected: number;
  /** Of them, so many show the channel of the messages. */
  viewing: number;
  perSecond: number;
  messages: number;
  /** Messages while the connections of a killed gateway continue. */
  messagesMeanwhile: number;
}

const hundredThousand: PassiveSizes = {
  gateways: 8,
  connected: 100_000,
  viewing: 10_000,
  perSecond: 5,
  messages: 300,
  messagesMeanwhile: 150,
};
const tenThousand: PassiveSizes = {
  gateways: 2,
  connected: 10_000,
  viewing: 1_000,
  perSecond: 20,
  messages: 600,
  messagesMeanwhile: 0,
};
/** Enough to see that all is counted. */
export const quickSizes: PassiveSizes = {
  gateways: 2,
  connected: 300,
  viewing: 30,
  perSecond: 10,
  messages: 20,
  messagesMeanwhile: 10,
};

/** Sockets of one process of clients, which may open 20,000 files. */
const socketsEach = 12_500;
/** Connections that become ready at a time, at each gateway. */
const inFlight = 32;
/** Gateways look every 20 s how many members are connected. */
const decisionMs = 60_000;
const megabyte = 1024 * 1024;

/** 100,000 connections of one server; a gateway of eight dies, and its clients continue on the others. */
export const benchHundredThousand = (options: readonly string[]): Promise<void> =>
  withStack({}, async (stack) => {
    const option = (name: "gateways" | "connected" | "viewing") => numberOption(options, name, hundredThousand[name]);
    const chosen = { gateways: option("gateways"), connected: option("connected"), viewing: option("viewing") };
    const sizes = options.includes("--quick") ? quickSizes : { ...hundredThousand, ...chosen };
    reportPassive(await measurePassive(stack, sizes, "&view="), sizes);
  });

/** The same server with 10,000: all of them get everything, then they show channels. */
export async function benchPassive(options: readonly string[]): Promise<void> {
  const sizes = options.includes("--quick") ? quickSizes : tenThousand;
  for (const query of ["", "&view="] as const)
    await withStack({}, async (stack) => {
      report(query === "" ? "all get everything:" : "the same, with channels in view:");
      reportPassive(await measurePassive(stack, sizes, query), sizes);
    });
}

/** One gateway's clients, whose connections end when it is killed. */
interface Group {
  gateway: ServerProcess;
  clients: Clients;
}

/** @param query empty for connections that get everything, else `&view=` */
export async function measurePassive(stack: BenchStack, sizes: PassiveSizes, query: "" | "&view=") {
  const { gateways: count, connected, viewing } = sizes;
  const room = await createRoom(stack.pool, connected + 1);
  const post = createPoster((await stack.start("api")).url);
  const [author = "", ...users] = room.userIds;
  const groups: Group[] = [];
  for (let index = 0; index < count; index += 1) {
    const processes = Math.ceil(connected / count / socketsEach);
    groups.push({ gateway: await stack.start("gateway"), clients: new Clients(processes) });
  }
  const send = (n: number) =>
    post(`/channels/${room.channelId}/messages`, { content: `${n} ${"x".repeat(200)}` }, stack.headers(author), "POST");
  /** Every k-th client shows the channel, so that each gateway has some. */
  const isViewing = (client: number) => client % Math.ceil(connected / viewing) === 0;
  const viewers = users.map((_, client) => client).filter(isViewing);
  const pathOf = (client: number) => {
    const view = query === "" ? "" : `${query}${isViewing(client) ? room.channelId : "on"}`;
    return stack.socketPath(users[client] ?? "", `&v=2&presence=none${view}`);
  };
  try {
    const empty = await weigh(groups);
    const connecting = await connect(groups, users.length, pathOf);
    if (query !== "") await untilPassive(groups, send, viewers.length);
    for (const { gateway } of groups) await collectGarbage(gateway);
    const full = await weigh(groups);
    const wanted = (messages: number) => {
      const events = Array.from({ length: messages }, (_, event) => event);
      const clients = query === "" ? users.map((_, client) => client) : viewers;
      return new Map(clients.map((client) => [client, events]));
    };
    const calm = await sendAndCollect({ groups, sizes, send, wanted, messages: sizes.messages });
    const killed = sizes.messagesMeanwhile === 0 ? null : await killOne({ groups, sizes, send, wanted });
    return { empty, full, connecting, calm, killed };
  } finally {
    await Promise.all(groups.map(({ clients }) => clients.stop()));
    await Promise.all(groups.map(({ gateway }) => gateway.kill()));
  }
}

/** Connects all clients, the n-th at the n-th gateway in turn. */
async function connect(groups: readonly Group[], clients: number, pathOf: (client: number) => string) {
  const startedAt = clockMs();
  const answers = await Promise.all(
    groups.map(async ({ gateway, clients: own }, index) => {
      const numbers = Array.from({ length: clients }, (_, n) => n).filter((n) => n % groups.length === index);
      const target = { port: gateway.port, dialect: resumableDialect };
      return own.tryConnect(target, numbers.map(pathOf), { inFlight, numbers });
    }),
  );
  return { seconds: (clockMs() - startedAt) / 1_000, failed: sum(answers.map(({ failed }) => failed)) };
}

/** Resolves when no gateway sends a message to who does not show its channel. */
async function untilPassive(groups: readonly Group[], send: Traffic["send"], viewers: number) {
  const frames = async () => {
    const metrics = await Promise.all(groups.map(({ gateway }) => readMetrics(gateway)));
    // CHANNEL_ACTIVITY comes at times of each gateway's own.
    return sum(metrics.map((read) => read("gateway_frames_sent_total") - read("gateway_channel_activities_total")));
  };
  await waitUntil(
    async () => {
      const before = await frames();
      await send(-1);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      return (await frames()) - before <= viewers + groups.length;
    },
    { what: "a passive server", timeoutMs: decisionMs },
  );
}

interface Traffic {
  groups: readonly Group[];
  sizes: PassiveSizes;
  send(n: number): Promise<unknown>;
  wanted(messages: number): Map<number, number[]>;
}

async function sendAndCollect({ groups, sizes, send, wanted, messages }: Traffic & { messages: number }) {
  await Promise.all(groups.map(({ clients }) => clients.begin({})));
  const before = await spentOf(groups);
  const sentAt = await sendSteadily({ perSecond: sizes.perSecond, isDone: upTo(messages) }, send);
  const expected = wanted(messages);
  const collected = (
    await Promise.all(groups.map(({ clients }) => clients.collect((client) => expected.get(client)?.length ?? 0)))
  ).flat();
  const after = await spentOf(groups);
  const received = receivedOf(expected, 1, collected, new Set());
  const delaysMs = delaysBetween(collected, sentAt, { from: 0, to: Number.POSITIVE_INFINITY });
  return { received, delaysMs, cpu: after.cpu - before.cpu, frames: after.frames - before.frames };
}

/** The first gateway dies, and its clients continue on the others, under traffic. */
async function killOne({ groups, sizes, send, wanted }: Traffic) {
  const [dying, ...others] = groups;
  if (dying === undefined) throw new Error("no gateway");
  await Promise.all(groups.map(({ clients }) => clients.begin({})));
  const sending = sendSteadily({ perSecond: sizes.perSecond, isDone: upTo(sizes.messagesMeanwhile) }, send);
  await dying.gateway.kill();
  const continued = await dying.clients.continue(...others.map(({ gateway }) => gateway.port));
  const sentAt = await sending;
  const expected = wanted(sizes.messagesMeanwhile);
  const collected = await Promise.all(
    groups.map(({ clients }) => clients.collect((client) => expected.get(client)?.length ?? 0)),
  );
  const received = receivedOf(expected, 1, collected.flat(), continued.begunAnew);
  const ofOthers = collected.slice(1).flat();
  return { continued, received, delaysMs: delaysBetween(ofOthers, sentAt, { from: 0, to: Number.POSITIVE_INFINITY }) };
}

async function spentOf(groups: readonly Group[]) {
  const metrics = await Promise.all(groups.map(({ gateway }) => readMetrics(gateway)));
  const cpu = await Promise.all(groups.map(({ gateway }) => cpuSeconds(gateway.pid())));
  return { cpu: sum(cpu), frames: sum(metrics.map((read) => read("gateway_frames_sent_total"))) };
}

/** Bytes of all gateways. */
async function weigh(groups: readonly Group[]) {
  const pids = groups.map(({ gateway }) => gateway.pid());
  const heaps = await Promise.all(groups.map(({ gateway }) => serviceMemory(gateway)));
  return {
    resident: sum(await Promise.all(pids.map(residentBytes))),
    proportional: sum(await Promise.all(pids.map(proportionalBytes))),
    used: sum(heaps.map(({ heapUsed, external }) => heapUsed + external)),
  };
}

type Measured = Awaited<ReturnType<typeof measurePassive>>;

function reportPassive({ empty, full, connecting, calm, killed }: Measured, sizes: PassiveSizes): void {
  const { gateways, connected, viewing, perSecond } = sizes;
  const inMegabytes = (bytes: number) => `${Math.round(bytes / megabyte)} MB`;
  const each = (key: keyof typeof full) => `${((full[key] - empty[key]) / connected / 1024).toFixed(1)} KB`;
  const times = (delays: Float64Array) =>
    `p50 ${percentile(delays, 0.5).toFixed(0)} ms, p99 ${percentile(delays, 0.99).toFixed(0)} ms`;
  report(
    `${connected} connections of one server at ${gateways} gateways, ${viewing} of them show the channel: all READY after ${connecting.seconds.toFixed(0)} s (${(connected / connecting.seconds).toFixed(0)}/s), ${connecting.failed} failed`,
  );
  report(
    `  memory     all gateways RSS ${inMegabytes(full.resident)}, PSS ${inMegabytes(full.proportional)}  (goal of 100,000: 1,536 MB), ${inMegabytes(full.resident / gateways)} each; without connections ${inMegabytes(empty.resident)}; a connection ${each("resident")} of RSS, ${each("used")} in use`,
  );
  const reportReceived = (name: string, { received, delaysMs }: Pick<typeof calm, "received" | "delaysMs">) =>
    report(
      `  ${name} ${times(delaysMs)} from POST to socket; ${received.expected} to arrive, ${received.lost} lost, ${received.repeated} repeated, ${received.unordered} out of order, ${received.skipped} not sent to who began anew`,
    );
  report(
    `  ${perSecond} messages/s: ${calm.frames} frames, ${((calm.cpu / calm.frames) * 1e6).toFixed(1)} µs of the gateways' processors each`,
  );
  reportReceived("messages  ", calm);
  if (killed === null) return;
  const { RESUMED = 0, ...others } = killed.continued.answers;
  const answers = killed.continued.answeredMs;
  report(
    `  killed     ${answers.length} of a killed gateway continue on the others: half after ${(percentile(answers, 0.5) / 1_000).toFixed(1)} s, all after ${(percentile(answers, 1) / 1_000).toFixed(1)} s; ${RESUMED} RESUMED, others ${JSON.stringify(others)}, ${killed.continued.failed} failed`,
  );
  reportReceived("meanwhile ", killed);
}
