import type { ServerProcess } from "@parley/local-stack";
import { waitUntil } from "@parley/testing";
import { Clients } from "./clients/clients.js";
import { resumable } from "./clients/connection.js";
import { delaysBetween, receivedOf } from "./clients/received.js";
import { check, clockMs, percentile, percentilesInWords, report, sendSteadily, sum, upTo } from "./measure.js";
import { createPoster } from "./poster.js";
import { collectGarbage, cpuSecondsOf, memoryOf, metricsOf, usedBytes } from "./processes.js";
import { withStack } from "./stack.js";
import { createRoom } from "./world.js";

/** Sizes of a server whose connections show one channel. */
export interface PassiveSizes {
  gateways: number;
  connected: number;
  /** Connected members that show the channel of the messages. */
  viewing: number;
  perSecond: number;
  messages: number;
  /** Messages while the connections of a killed gateway continue; none: no gateway is killed. */
  messagesMeanwhile: number;
}

/** Enough to see that all is counted. */
export const quickSizes = { gateways: 2, connected: 300, viewing: 30, perSecond: 10, messages: 20 };

/** Sockets of one process of clients, which may open 20,000 files. */
const socketsEach = 12_500;
/** Connections that become ready at a time, at each gateway. */
const inFlight = 32;
/** Gateways look every 20 s how many members are connected. */
const decisionMs = 60_000;
const megabyte = 1024 * 1024;

/** The clients of some gateways. */
interface Group {
  gateways: readonly ServerProcess[];
  clients: Clients;
}

/** Messages, and which of them each client is to get. */
interface Traffic {
  groups: readonly [dying: Group, others: Group];
  perSecond: number;
  send: (n: number) => Promise<unknown>;
  wanted: (messages: number) => Map<number, number[]>;
}

/** @param isPassive connections show channels or none, else they get everything */
export function benchPassive(sizes: PassiveSizes, isPassive: boolean): Promise<void> {
  const { connected, viewing, perSecond, messages, messagesMeanwhile } = sizes;
  return withStack({}, async (stack) => {
    const room = await createRoom(stack.pool, connected + 1);
    const post = createPoster((await stack.start("api")).url);
    const [author = "", ...users] = room.userIds;
    const gateways: ServerProcess[] = [];
    while (gateways.length < sizes.gateways) gateways.push(await stack.start("gateway"));
    const processes = Math.ceil(connected / gateways.length / socketsEach);
    const [dying, others] = [gateways.slice(0, 1), gateways.slice(1)];
    const groups: Traffic["groups"] = [
      { gateways: dying, clients: new Clients(processes) },
      { gateways: others, clients: new Clients(processes * others.length) },
    ];
    const send = (n: number) => {
      const content = `${n} ${"x".repeat(200)}`;
      return post(`/channels/${room.channelId}/messages`, { content }, stack.headers(author));
    };
    /** Every k-th client shows the channel, so that each gateway has some. */
    const isViewing = (client: number) => client % Math.ceil(connected / viewing) === 0;
    const receivers = users.map((_, client) => client).filter((client) => !isPassive || isViewing(client));
    const paths = users.map((userId, client) => {
      const view = isPassive ? `&view=${isViewing(client) ? room.channelId : "on"}` : "";
      return stack.socketPath(userId, `&v=2&presence=none${view}`);
    });
    const wanted = (count: number) =>
      new Map(receivers.map((client) => [client, Array.from({ length: count }, (_, event) => event)]));
    const traffic: Traffic = { groups, perSecond, send, wanted };

    const empty = await weigh(gateways);
    const startedAt = clockMs();
    await connect(groups, paths);
    const seconds = (clockMs() - startedAt) / 1_000;
    report(
      `${connected} connections of one server at ${gateways.length} gateways, ${isPassive ? `${receivers.length} of them show the channel` : "all get everything"}: all READY after ${seconds.toFixed(0)} s (${(connected / seconds).toFixed(0)}/s)`,
    );
    if (isPassive) await untilPassive(gateways, send, receivers.length);
    for (const gateway of gateways) await collectGarbage(gateway);
    const full = await weigh(gateways);
    const inMegabytes = (bytes: number) => `${Math.round(bytes / megabyte)} MB`;
    const each = (key: keyof typeof full) => `${((full[key] - empty[key]) / connected / 1024).toFixed(1)} KB`;
    report(
      `  memory     all gateways RSS ${inMegabytes(full.resident)}, PSS ${inMegabytes(full.proportional)}  (goal of 100,000: 1,536 MB), ${inMegabytes(full.proportional / gateways.length)} each; without connections ${inMegabytes(empty.proportional)}; a connection ${each("resident")} of RSS, ${each("used")} in use`,
    );
    await reportCalm(traffic, messages);
    if (messagesMeanwhile > 0) await reportKill(traffic, messagesMeanwhile);
    await Promise.all(groups.map(({ clients }) => clients.stop()));
  });
}

/** Connects the first clients to the gateway that dies, as many as each of the others has. */
async function connect([dying, others]: Traffic["groups"], paths: readonly string[]): Promise<void> {
  const first = Math.round(paths.length / (1 + others.gateways.length));
  await Promise.all([
    dying.clients.connect(dying.gateways, paths.slice(0, first), { inFlight, dialect: resumable }),
    others.clients.connect(others.gateways, paths.slice(first), {
      ...{ first, dialect: resumable },
      inFlight: inFlight * others.gateways.length,
    }),
  ]);
}

/** Resolves when no gateway sends a message to a connection that does not show its channel. */
async function untilPassive(gateways: readonly ServerProcess[], send: Traffic["send"], viewers: number) {
  const frames = async () => {
    const metrics = await Promise.all(gateways.map(metricsOf));
    // CHANNEL_ACTIVITY comes at times of each gateway's own.
    return sum(metrics.map((read) => read("gateway_frames_sent_total") - read("gateway_channel_activities_total")));
  };
  await waitUntil(
    async () => {
      const before = await frames();
      await send(-1);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      return (await frames()) - before <= viewers + gateways.length;
    },
    { what: "a passive server", timeoutMs: decisionMs },
  );
}

async function reportCalm(traffic: Traffic, messages: number): Promise<void> {
  const gateways = traffic.groups.flatMap((group) => group.gateways);
  const spent = async () => ({
    cpu: await cpuSecondsOf(gateways),
    frames: sum((await Promise.all(gateways.map(metricsOf))).map((read) => read("gateway_frames_sent_total"))),
  });
  await begin(traffic);
  const before = await spent();
  const { perSecond, send } = traffic;
  const sentAt = await sendSteadily({ perSecond, isDone: upTo(messages) }, send);
  const collected = (await collect(traffic, messages)).flat();
  const after = await spent();
  const frames = after.frames - before.frames;
  report(
    `  ${perSecond} messages/s: ${frames} frames, ${(((after.cpu - before.cpu) / frames) * 1e6).toFixed(1)} µs of the gateways' processors each`,
  );
  reportReceived("messages", traffic.wanted(messages), { collected, delaysMs: delaysBetween(collected, sentAt) });
}

/** The first gateway dies, and its clients continue on the others, under traffic. */
async function reportKill(traffic: Traffic, messages: number): Promise<void> {
  const { groups, perSecond, send, wanted } = traffic;
  const [dying, others] = groups;
  await begin(traffic);
  const sending = sendSteadily({ perSecond, isDone: upTo(messages) }, send);
  await dying.gateways[0]?.kill();
  const { answers, answeredMs, begunAnew, failed } = await dying.clients.continue(
    ...others.gateways.map(({ port }) => port),
  );
  const sentAt = await sending;
  const [ofDying = [], ofOthers = []] = await collect(traffic, messages);
  check("clients that did not continue", failed, 0);
  report(
    `  killed     ${answeredMs.length} of a killed gateway continue on the others: half after ${(percentile(answeredMs, 0.5) / 1_000).toFixed(1)} s, all after ${(percentile(answeredMs, 1) / 1_000).toFixed(1)} s; ${JSON.stringify(answers)}`,
  );
  const got = { collected: [...ofDying, ...ofOthers], delaysMs: delaysBetween(ofOthers, sentAt) };
  reportReceived("meanwhile", wanted(messages), got, begunAnew);
}

async function begin({ groups }: Traffic): Promise<void> {
  await Promise.all(groups.map(({ clients }) => clients.begin({})));
}

function collect({ groups, wanted }: Traffic, messages: number) {
  const expected = wanted(messages);
  return Promise.all(groups.map(({ clients }) => clients.collect((client) => expected.get(client)?.length ?? 0)));
}

function reportReceived(
  name: string,
  wanted: ReadonlyMap<number, number[]>,
  { collected, delaysMs }: { collected: Parameters<typeof receivedOf>[2]; delaysMs: Float64Array },
  begunAnew: ReadonlySet<number> = new Set(),
): void {
  const { expected, lost, repeated, unordered, skipped, foreign } = receivedOf(wanted, 1, collected, begunAnew);
  check(`${name} lost, repeated, out of order, to others`, [lost, repeated, unordered, foreign], [0, 0, 0, 0]);
  report(
    `  ${name.padEnd(10)} ${percentilesInWords(delaysMs)} from POST to socket; ${expected} to arrive, ${lost} lost, ${repeated} repeated, ${skipped} not sent to who began anew`,
  );
}

/** Bytes of all gateways. */
async function weigh(gateways: readonly ServerProcess[]) {
  const memory = await Promise.all(gateways.map(({ pid }) => memoryOf(pid())));
  return {
    resident: sum(memory.map(({ resident }) => resident)),
    proportional: sum(memory.map(({ proportional }) => proportional)),
    used: sum(await Promise.all(gateways.map(usedBytes))),
  };
}
