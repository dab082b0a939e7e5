import { setTimeout as pause } from "node:timers/promises";
import { Message } from "@parley/contracts";
import { connectGateway, type GatewayClient } from "@parley/testing/gateway-client";
import { clockMs } from "./gateway-clock.js";
import type { ReaderAnswers } from "./gateway-reader-protocol.js";
import { type Delivery, startReaders } from "./gateway-readers.js";
import { createRoom } from "./gateway-world.js";
import type { LargeServerSizes } from "./large-server-sizes.js";
import type { LargeServer, LargeServerWorld } from "./large-server-world.js";
import { percentile, report } from "./measure.js";

/** What a crowd was told, and what it cost. */
export interface Crowd {
  connected: number;
  /** Connections that did not become ready. */
  failed: number;
  deliveries: Delivery[];
  visits: ReaderAnswers["churn"];
  /** At the caller, while the crowd is connected, ascending. */
  changesMs: Record<"role" | "kick", Float64Array>;
  /** Of messages in the small server. */
  neighbour: Record<"alone" | "beside", NeighbourLatencies>;
}

/** Ascending, from the beginning of each request. */
interface NeighbourLatencies {
  /** Until its answer. */
  postMs: Float64Array;
  /** Until another member has the message as well. */
  deliveredMs: Float64Array;
}

/** The first frame of a connection is READY. */
const dialect = { greeting: null, helloFrames: 1 };
const neighbourIntervalMs = 100;

/**
 * Connects the members all at once, then sends messages to them while others come and go; a small server on the same
 * nodes beside it. Prints what each took.
 */
export async function reportCrowd(
  world: LargeServerWorld,
  server: LargeServer,
  sizes: LargeServerSizes,
  query: string,
): Promise<Crowd> {
  const name = query === "" ? "presence of all" : query;
  const crowds = world.gateways.map(({ port }) => ({ target: { port, dialect }, readers: startReaders(1) }));
  const visitors = startReaders(1);
  const neighbour = await connectNeighbour(world);
  try {
    const alone = await neighbour.measure(until(2_000));
    // Before the crowd comes, which would count this message, too.
    const bodyBytes = await neighbour.messageBytes(server);
    const connected = server.userIds.slice(1, 1 + sizes.connected);
    const arrivals = await Promise.all(
      crowds.map(({ target, readers }, index) => {
        const paths = connected.filter((_, n) => n % 2 === index).map((userId) => world.socketPath(userId, query));
        return readers.connectPaths(target, paths, paths.length);
      }),
    );
    const lastMs = Math.max(...arrivals.map(({ readyMs }) => readyMs.at(-1) ?? Number.NaN));
    const failed = arrivals.reduce((sum, arrival) => sum + arrival.failed, 0);
    report(
      `${name}: ${connected.length} connected at once, last READY after ${(lastMs / 1_000).toFixed(1)} s, ${failed} failed`,
    );

    await Promise.all(
      crowds.map(({ readers }) => readers.begin({ payloadBytes: () => bodyBytes }, { body: "", timed: true })),
    );
    const messagesMs = (sizes.messages / sizes.messagesPerSecond) * 1_000;
    const visitorIds = server.userIds.slice(1 + sizes.connected).slice(0, 1_000);
    const coming = visitors.churn(crowds[0]?.target ?? { port: 0, dialect }, {
      paths: (visitorIds.length === 0 ? connected : visitorIds).map((userId) => world.socketPath(userId, query)),
      perSecond: sizes.comingPerSecond,
      durationMs: messagesMs,
      holdMs: sizes.stayMs,
    });
    const beside = neighbour.measure(until(messagesMs));
    const sentAt = await sendMessages(world, server, sizes);
    const deliveries = await Promise.all(crowds.map(({ readers }) => readers.finish(sentAt)));
    const visits = await coming;
    for (const [index, delivery] of deliveries.entries()) report(`  gateway ${index + 1}: ${inWords(delivery)}`);
    report(`  ${visits.opened} came and went, ${visits.failed} failed`);
    const latencies = { alone, beside: await beside };
    report(
      `  small server: ${comparison(latencies, "deliveredMs")}  (goal: 2); its POST: ${comparison(latencies, "postMs")}`,
    );
    const changesMs = await measureChanges(world, server, sizes.changes);
    for (const [what, ms] of Object.entries(changesMs)) {
      report(
        `  ${what} p50 ${percentile(ms, 0.5).toFixed(1)} ms, slowest ${ms.at(-1)?.toFixed(1)} ms at the caller  (goal: 50)`,
      );
    }
    return { connected: connected.length, failed, deliveries, visits, changesMs, neighbour: latencies };
  } finally {
    neighbour.close();
    await Promise.all([visitors.stop(), ...crowds.map(({ readers }) => readers.stop())]);
  }
}

function until(durationMs: number): () => boolean {
  const end = performance.now() + durationMs;
  return () => performance.now() >= end;
}

/** Messages are alike in length, so that their frames can be told from those of presence. */
const contentOf = (n: number) => `message ${String(n).padStart(6, "0")}`;

async function sendMessages(
  { call }: LargeServerWorld,
  { channelId, userIds }: LargeServer,
  { messages, messagesPerSecond }: LargeServerSizes,
): Promise<number[]> {
  const sentAt: number[] = [];
  const startedAt = clockMs();
  const answers: Promise<unknown>[] = [];
  for (let n = 0; n < messages; n += 1) {
    await pause(Math.max(0, startedAt + (n * 1_000) / messagesPerSecond - clockMs()));
    sentAt.push(clockMs());
    answers.push(call(userIds[1] ?? "", "POST", `/channels/${channelId}/messages`, { content: contentOf(n) }));
  }
  await Promise.all(answers);
  return sentAt;
}

/** Changes a role that hides channels, and kicks members who are not connected, one after another. */
async function measureChanges({ call }: LargeServerWorld, { serverId, roleId, userIds }: LargeServer, changes: number) {
  const path = `/servers/${serverId}`;
  const time = async (run: (n: number) => Promise<unknown>) => {
    const latencies: number[] = [];
    for (let n = 0; n < changes; n += 1) {
      const from = performance.now();
      await run(n);
      latencies.push(performance.now() - from);
    }
    return Float64Array.from(latencies).sort();
  };
  const owner = userIds[0] ?? "";
  return {
    role: await time((n) => call(owner, "PATCH", `${path}/roles/${roleId}`, { permissions: n % 2 ? 3 : 7 })),
    kick: await time(() => call(owner, "POST", `${path}/members/${userIds.pop()}/kick`)),
  };
}

function inWords({ delaysMs, complete, sockets }: Delivery): string {
  const [p50, p99] = [percentile(delaysMs, 0.5), percentile(delaysMs, 0.99)];
  return `POST to socket p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms  (goal: 100); ${complete} of ${sockets} sockets got all`;
}

function comparison({ alone, beside }: Crowd["neighbour"], what: keyof NeighbourLatencies): string {
  const [p99Alone, p99Beside] = [percentile(alone[what], 0.99), percentile(beside[what], 0.99)];
  const ratio = (p99Beside / p99Alone).toFixed(1);
  return `p99 alone ${p99Alone.toFixed(1)} ms, beside ${p99Beside.toFixed(1)} ms, ratio ${ratio}`;
}

/** A server of five members on both gateways, one of whom sends and one reads. */
async function connectNeighbour(world: LargeServerWorld) {
  const room = await createRoom(world.pool, 5);
  const open = (userId: string, gateway: number): GatewayClient => {
    const [path, query = ""] = world.socketPath(userId).split("?");
    return connectGateway(world.gateways[gateway % 2]?.url ?? "", "", { path: path ?? "", query });
  };
  const clients = room.userIds.map(open);
  await Promise.all(clients.map(({ ready }) => ready));
  const reader = clients[1];
  const post = async (userId: string, channelId: string, content: string) =>
    Message.parse(await world.call(userId, "POST", `/channels/${channelId}/messages`, { content }));
  return {
    async measure(isOver: () => boolean): Promise<NeighbourLatencies> {
      const postMs: number[] = [];
      const deliveredMs: number[] = [];
      while (!isOver()) {
        const from = performance.now();
        const { id } = await post(room.userIds[0] ?? "", room.channelId, "quiet");
        postMs.push(performance.now() - from);
        await reader?.waitFor("MESSAGE_CREATE", (message) => message.id === id, { timeoutMs: 20_000 });
        deliveredMs.push(performance.now() - from);
        await pause(Math.max(0, neighbourIntervalMs - (performance.now() - from)));
      }
      return { postMs: Float64Array.from(postMs).sort(), deliveredMs: Float64Array.from(deliveredMs).sort() };
    },
    /** The bytes of a message's event in the large server. */
    async messageBytes(server: LargeServer): Promise<number> {
      const samples = [0, 1].map((gateway) => open(server.userIds[1] ?? "", gateway));
      await Promise.all(samples.map(({ ready }) => ready));
      const { id } = await post(server.userIds[1] ?? "", server.channelId, contentOf(0));
      // On both gateways, so that it has passed when the counting begins.
      await Promise.all(
        samples.map((client) =>
          client.waitFor("MESSAGE_CREATE", (message) => message.id === id, { timeoutMs: 20_000 }),
        ),
      );
      for (const client of samples) client.terminate();
      return Buffer.byteLength(samples[0]?.frames.find((frame) => frame.includes(`"id":"${id}"`)) ?? "");
    },
    close() {
      for (const client of clients) client.terminate();
    },
  };
}
