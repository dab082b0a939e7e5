import { setTimeout as pause } from "node:timers/promises";
import { Clients, type Delivery, type Visits } from "../clients/clients.js";
import { gatewayDialect } from "../gateway/contestants.js";
import { upTo } from "../gateway/rounds.js";
import { ascending, percentile, report, sum, timeOf, timer } from "../measure.js";
import { readMetrics } from "../processes.js";
import { deliveryGoalMs, type Floor, p99Of } from "./floor.js";
import type { LargeServerSizes } from "./sizes.js";
import {
  connectNeighbour,
  type LargeServer,
  type LargeServerWorld,
  type NeighbourLatencies,
  sendMessages,
} from "./world.js";

/** Messages at one rate while others come and go. */
interface Phase {
  deliveries: Delivery[];
  visits: Visits;
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

/** Longer than changes of presence wait. */
const quietMs = 2_000;

/**
 * Connects the members all at once, then sends messages to them while others come and go; a small server on the same
 * nodes beside it. Prints what each took.
 */
export async function reportCrowd(surroundings: CrowdSurroundings, query: string) {
  const { world, server, sizes, payloadBytes, floors } = surroundings;
  const pathOf = (userId: string) => world.socketPath(userId, `&${query}`);
  const crowds = world.gateways.map(({ port }) => ({
    target: { port, dialect: gatewayDialect },
    clients: new Clients(1),
  }));
  const forBoth = <Result>(work: (crowd: (typeof crowds)[number], index: number) => Promise<Result>) =>
    Promise.all(crowds.map(work));
  const visitors = new Clients(1);
  const neighbour = await connectNeighbour(world);
  try {
    // The first requests warm up.
    await neighbour.measure(timer(sizes.aloneMs / 10));
    const alone = await neighbour.measure(timer(sizes.aloneMs));
    const connected = server.userIds.slice(1, 1 + sizes.connected);
    const arrivals = await forBoth(({ target, clients }, index) => {
      const paths = connected.filter((_, n) => n % 2 === index).map(pathOf);
      return clients.tryConnect(target, paths, { inFlight: paths.length });
    });
    const lastMs = Math.max(...arrivals.map(({ readyMs }) => readyMs.at(-1) ?? Number.NaN));
    const failed = sum(arrivals.map((arrival) => arrival.failed));
    const settledMs = await untilSettled(world);
    report(
      `${query === "" ? "presence of all" : query}: ${connected.length} connected at once, last READY after ${(lastMs / 1_000).toFixed(1)} s, ${failed} failed; their presences sent ${(settledMs / 1_000).toFixed(1)} s later`,
    );

    const others = server.userIds.slice(1 + sizes.connected).slice(0, 1_000);
    const visits = { paths: (others.length === 0 ? connected : others).map(pathOf), holdMs: sizes.stayMs };
    const phases: Phase[] = [];
    // Also at the rate that the machine keeps up with, if that is a lower one.
    for (const floor of new Set([floors[0], floors.at(-1)])) {
      if (floor === undefined) continue;
      const { perSecond } = floor;
      const messages = Math.ceil((sizes.messages * perSecond) / sizes.messagesPerSecond);
      const durationMs = (messages / perSecond) * 1_000;
      await forBoth(({ clients }) => clients.begin({ payloadBytes }));
      const target = { port: world.gateways[0].port, dialect: gatewayDialect };
      const coming = visitors.churn(target, { ...visits, perSecond: sizes.comingPerSecond, durationMs });
      const beside = neighbour.measure(timer(durationMs));
      const sentAt = await sendMessages(world, server, { perSecond, isDone: upTo(messages) });
      const deliveries = await forBoth(({ clients }) => clients.finish(sentAt));
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
    await Promise.all([visitors.stop(), ...crowds.map(({ clients }) => clients.stop())]);
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
  const compare = (what: keyof NeighbourLatencies) => {
    const [alone, beside] = [percentile(neighbour.alone[what], 0.99), percentile(neighbour.beside[what], 0.99)];
    return `p99 alone ${alone.toFixed(1)} ms, beside ${beside.toFixed(1)} ms, ratio ${(beside / alone).toFixed(1)}`;
  };
  report(`    small server: ${compare("deliveredMs")}  (goal: 2); its POST: ${compare("postMs")}`);
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

/** Changes a role that hides channels, and kicks members who are not connected, one after another. */
async function measureChanges({ call }: LargeServerWorld, { serverId, roleId, userIds }: LargeServer, changes: number) {
  const path = `/servers/${serverId}`;
  const owner = userIds[0] ?? "";
  const time = async (run: (n: number) => Promise<unknown>) => {
    const latencies: number[] = [];
    for (let n = 0; n < changes; n += 1) latencies.push(await timeOf(() => run(n)));
    return ascending(latencies);
  };
  return {
    role: await time((n) => call(owner, "PATCH", `${path}/roles/${roleId}`, { permissions: n % 2 ? 3 : 7 })),
    kick: await time(() => call(owner, "POST", `${path}/members/${userIds.pop()}/kick`)),
  };
}
