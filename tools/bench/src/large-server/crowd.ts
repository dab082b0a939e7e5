import { setTimeout as pause } from "node:timers/promises";
import type { ReaderAnswers } from "../clients/reader-protocol.js";
import { type Delivery, startReaders } from "../clients/readers.js";
import { readMetrics } from "../gateway/contestants.js";
import { percentile, report } from "../measure.js";
import { deliveryGoalMs, type Floor, p99Of } from "./floor.js";
import { sendMessages } from "./messages.js";
import { connectNeighbour, type NeighbourLatencies } from "./neighbour.js";
import type { LargeServerSizes } from "./sizes.js";
import type { LargeServer, LargeServerWorld } from "./world.js";

/** What a crowd was told, and what it cost. */
export interface Crowd {
  connected: number;
  /** Connections that did not become ready. */
  failed: number;
  /** By rate of messages. */
  phases: Phase[];
  /** At the caller, while the crowd is connected, ascending. */
  changesMs: Record<"role" | "kick", Float64Array>;
}

/** Messages at one rate while others come and go. */
interface Phase {
  deliveries: Delivery[];
  visits: ReaderAnswers["churn"];
  /** Of messages in the small server. */
  neighbour: Record<"alone" | "beside", NeighbourLatencies>;
}

/** What does not differ between crowds. */
export interface CrowdSurroundings {
  world: LargeServerWorld;
  server: LargeServer;
  sizes: LargeServerSizes;
  /** Of a message's event. */
  payloadBytes: number;
  /** What the machine takes at least, at the rates of messages that are measured. */
  floors: readonly Floor[];
}

/** The first frame of a connection is READY. */
const dialect = { greeting: null, helloFrames: 1 };
/** Longer than changes of presence wait. */
const quietMs = 2_000;

/**
 * Connects the members all at once, then sends messages to them while others come and go; a small server on the same
 * nodes beside it. Prints what each took.
 */
export async function reportCrowd(surroundings: CrowdSurroundings, query: string): Promise<Crowd> {
  const { world, server, sizes, payloadBytes, floors } = surroundings;
  const name = query === "" ? "presence of all" : query;
  const crowds = world.gateways.map(({ port }) => ({ target: { port, dialect }, readers: startReaders(1) }));
  const visitors = startReaders(1);
  const neighbour = await connectNeighbour(world);
  try {
    // The first requests warm up.
    await neighbour.measure(until(sizes.aloneMs / 10));
    const alone = await neighbour.measure(until(sizes.aloneMs));
    const connected = server.userIds.slice(1, 1 + sizes.connected);
    const arrivals = await Promise.all(
      crowds.map(({ target, readers }, index) => {
        const paths = connected.filter((_, n) => n % 2 === index).map((userId) => world.socketPath(userId, query));
        return readers.connectPaths(target, paths, paths.length);
      }),
    );
    const lastMs = Math.max(...arrivals.map(({ readyMs }) => readyMs.at(-1) ?? Number.NaN));
    const failed = arrivals.reduce((sum, arrival) => sum + arrival.failed, 0);
    const settledMs = await untilSettled(world);
    report(
      `${name}: ${connected.length} connected at once, last READY after ${(lastMs / 1_000).toFixed(1)} s, ${failed} failed; their presences sent ${(settledMs / 1_000).toFixed(1)} s later`,
    );

    const visitorIds = server.userIds.slice(1 + sizes.connected).slice(0, 1_000);
    const visitorPaths = (visitorIds.length === 0 ? connected : visitorIds).map((id) => world.socketPath(id, query));
    const phases: Phase[] = [];
    // Also at the rate that the machine keeps up with, if that is a lower one.
    for (const floor of new Set([floors[0], floors.at(-1)])) {
      if (floor === undefined) continue;
      const messages = Math.ceil((sizes.messages * floor.perSecond) / sizes.messagesPerSecond);
      const messagesMs = (messages / floor.perSecond) * 1_000;
      await Promise.all(
        crowds.map(({ readers }) => readers.begin({ payloadBytes: () => payloadBytes }, { body: "", timed: true })),
      );
      const coming = visitors.churn(crowds[0]?.target ?? { port: 0, dialect }, {
        paths: visitorPaths,
        perSecond: sizes.comingPerSecond,
        durationMs: messagesMs,
        holdMs: sizes.stayMs,
      });
      const beside = neighbour.measure(until(messagesMs));
      const sentAt = await sendMessages(world, server, { messages, perSecond: floor.perSecond });
      const deliveries = await Promise.all(crowds.map(({ readers }) => readers.finish(sentAt)));
      const phase = { deliveries, visits: await coming, neighbour: { alone, beside: await beside } };
      reportPhase(phase, floor);
      phases.push(phase);
    }
    const changesMs = await measureChanges(world, server, sizes.changes);
    for (const [what, ms] of Object.entries(changesMs)) {
      report(
        `  ${what} p50 ${percentile(ms, 0.5).toFixed(1)} ms, slowest ${ms.at(-1)?.toFixed(1)} ms at the caller  (goal: 50)`,
      );
    }
    return { connected: connected.length, failed, phases, changesMs };
  } finally {
    neighbour.close();
    await Promise.all([visitors.stop(), ...crowds.map(({ readers }) => readers.stop())]);
  }
}

function reportPhase({ deliveries, visits, neighbour }: Phase, floor: Floor): void {
  report(`  ${floor.perSecond} messages/s to all:`);
  for (const [index, { delaysMs, complete, sockets }] of deliveries.entries()) {
    report(
      `    gateway ${index + 1}: POST to socket p50 ${percentile(delaysMs, 0.5).toFixed(1)} ms, p99 ${percentile(delaysMs, 0.99).toFixed(1)} ms  (goal: ${deliveryGoalMs}); ${complete} of ${sockets} sockets got all`,
    );
  }
  report(`    p99 of both ${(p99Of(deliveries) / p99Of(floor.deliveries)).toFixed(2)} times the floor's`);
  report(`    ${visits.opened} came and went, ${visits.failed} failed`);
  report(
    `    small server: ${comparison(neighbour, "deliveredMs")}  (goal: 2); its POST: ${comparison(neighbour, "postMs")}`,
  );
}

/** Resolves when the gateways have written all that connecting led to. @returns how long that took */
async function untilSettled({ gateways }: LargeServerWorld): Promise<number> {
  const startedAt = performance.now();
  const framesSent = async () => {
    const metrics = await Promise.all(gateways.map(readMetrics));
    return metrics.map((read) => read("gateway_frames_sent_total")).join();
  };
  let quietSince = startedAt;
  for (let sent = await framesSent(); performance.now() - quietSince < quietMs; ) {
    await pause(quietMs / 10);
    const now = await framesSent();
    if (now === sent) continue;
    sent = now;
    quietSince = performance.now();
  }
  return quietSince - startedAt;
}

function until(durationMs: number): () => boolean {
  const end = performance.now() + durationMs;
  return () => performance.now() >= end;
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

function comparison({ alone, beside }: Phase["neighbour"], what: keyof NeighbourLatencies): string {
  const [p99Alone, p99Beside] = [percentile(alone[what], 0.99), percentile(beside[what], 0.99)];
  const ratio = (p99Beside / p99Alone).toFixed(1);
  return `p99 alone ${p99Alone.toFixed(1)} ms, beside ${p99Beside.toFixed(1)} ms, ratio ${ratio}`;
}
