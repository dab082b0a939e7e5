import { setTimeout as pause } from "node:timers/promises";
import { Clients } from "../clients/clients.js";
import { silent } from "../clients/connection.js";
import { type Delivered, deliver } from "../clients/deliver.js";
import type { FloorFunctions } from "../floor-server.js";
import {
  ascending,
  check,
  percentile,
  percentilesInWords,
  ratio,
  report,
  sum,
  timeOf,
  timer,
  upTo,
} from "../measure.js";
import { metricsOf } from "../processes.js";
import { startProgram } from "../program.js";
import { connectQuietServer } from "../quiet-server.js";
import { type LargeServer, type LargeServerWorld, sendMessages } from "./world.js";

/** How much is sent to how many. */
export interface CrowdSizes {
  /** Members that are connected, divided between two gateways. */
  connected: number;
  perSecond: number;
  messages: number;
  /** Frames of the floor at that rate. */
  floorFrames: number;
  /** Members who come and go meanwhile, a second, and how long each of them stays. */
  comingPerSecond: number;
  stayMs: number;
  /** Changes of a role, and kicks, after that. */
  changes: number;
  /** How long the small server is measured alone. */
  aloneSeconds: number;
}

/** The least times of this machine at one rate of frames, its clients included. */
interface Floor {
  perSecond: number;
  p99Ms: number;
}

const processes = 2;
/** The goal for a message. */
const deliveryGoalMs = 100;
/** Rates to try below the wanted one, as shares of it, until one stays within the goal. */
const shares = [1, 0.75, 0.5, 0.25];
/** Longer than changes of presence wait. */
const quietMs = 2_000;

const p99Of = ({ delaysMs }: Delivered) => percentile(delaysMs, 0.99);

/**
 * Measures how long two processes of bare `ws` take to write one frame to as many sockets as two gateways have, with
 * the same clients on the same processors. When that exceeds the goal, also at the highest lower rate that does not.
 *
 * @returns by rate, the wanted one first, the one that stays within the goal last
 */
export async function reportFloor(
  { connected, perSecond: fullRate, floorFrames }: CrowdSizes,
  payloadBytes: number,
): Promise<Floor[]> {
  const servers = Array.from({ length: processes }, () => startProgram<FloorFunctions>("floor-server"));
  const clients = new Clients(processes);
  const ports = await Promise.all(servers.map(async (server) => ({ port: await server.call("silent") })));
  const paths = Array.from({ length: connected }, () => "/");
  await clients.connect(ports, paths, { dialect: silent });
  report(`floor: ${processes} processes of bare ws, one frame of ${payloadBytes} bytes to ${connected} sockets`);
  const floors: Floor[] = [];
  for (const share of shares) {
    const perSecond = fullRate * share;
    const frames = Math.ceil(floorFrames * share);
    const write = async () => {
      const [dueAt = []] = await Promise.all(
        servers.map((server) => server.call("write", payloadBytes, perSecond, frames)),
      );
      return dueAt;
    };
    const delivered = await deliver(clients, [], write, { payloadBytes });
    floors.push({ perSecond, p99Ms: p99Of(delivered) });
    report(`  ${perSecond} frames/s: from the write to the socket ${percentilesInWords(delivered.delaysMs)}`);
    if (p99Of(delivered) <= deliveryGoalMs) break;
  }
  await Promise.all([clients.stop(), ...servers.map((server) => server.stop())]);
  return floors;
}

interface Crowd {
  world: LargeServerWorld;
  server: LargeServer;
  sizes: CrowdSizes;
  /** Size of a message's event. */
  payloadBytes: number;
  floors: readonly Floor[];
}

/**
 * Connects the members all at once, then sends messages to them while others come and go; a small server on the same
 * gateways beside it. Prints the times of each.
 */
export async function reportCrowd({ world, server, sizes, payloadBytes, floors }: Crowd, query: string): Promise<void> {
  const { gateways } = world;
  const pathOf = (userId: string) => world.stack.socketPath(userId, `&${query}`);
  const [clients, visitors] = [new Clients(processes), new Clients(1)];
  const quiet = await connectQuietServer(world.stack, world.api, gateways);
  // The first requests warm up.
  await quiet.measure(timer(sizes.aloneSeconds * 100));
  const alone = await quiet.measure(timer(sizes.aloneSeconds * 1_000));
  const members = server.userIds.slice(1, 1 + sizes.connected);
  const { readyMs, failed } = await clients.tryConnect(gateways, members.map(pathOf), { inFlight: members.length });
  check("connections that failed", failed, 0);
  const settledMs = await untilSettled(world);
  report(
    `${query === "" ? "presence of all" : query}: ${members.length} connected at once, last READY after ${((readyMs.at(-1) ?? Number.NaN) / 1_000).toFixed(1)} s; their presences sent ${(settledMs / 1_000).toFixed(1)} s later`,
  );

  const others = server.userIds.slice(1 + sizes.connected).slice(0, 1_000);
  const visits = { paths: (others.length === 0 ? members : others).map(pathOf), holdMs: sizes.stayMs };
  // Also at the rate that the machine keeps up with, if that is a lower one.
  for (const floor of new Set([floors[0], floors.at(-1)])) {
    if (floor === undefined) continue;
    const { perSecond } = floor;
    const messages = Math.ceil((sizes.messages * perSecond) / sizes.perSecond);
    const pace = { perSecond: sizes.comingPerSecond, durationMs: (messages / perSecond) * 1_000 };
    const { result, quiet: beside } = await quiet.beside(async () => {
      const coming = visitors.churn(gateways[0], { ...visits, ...pace });
      const send = () => sendMessages(world, server, { perSecond, isDone: upTo(messages) });
      return { delivered: await deliver(clients, gateways, send, { payloadBytes }), visits: await coming };
    });
    check("visits that failed", result.visits.failed, 0);
    report(
      `  ${perSecond} messages/s to all: POST to socket ${percentilesInWords(result.delivered.delaysMs)}  (goal: ${deliveryGoalMs}), p99 ${ratio(p99Of(result.delivered), floor.p99Ms)} times the floor's; ${result.visits.opened} came and went`,
    );
    const compare = (what: keyof typeof alone) => {
      const [before, meanwhile] = [percentile(alone[what], 0.99), percentile(beside[what], 0.99)];
      return `p99 alone ${before.toFixed(1)} ms, beside ${meanwhile.toFixed(1)} ms, ratio ${ratio(meanwhile, before, 1)}`;
    };
    report(`    small server: ${compare("deliveredMs")}  (goal: 2); its POST: ${compare("postMs")}`);
  }
  for (const [what, ms] of Object.entries(await measureChanges(world, server, sizes.changes))) {
    report(`  ${what} p50 ${percentile(ms, 0.5).toFixed(1)} ms, slowest ${ms.at(-1)?.toFixed(1)} ms  (goal: 50)`);
  }
  quiet.close();
  await Promise.all([visitors.stop(), clients.stop()]);
}

/** Resolves when the gateways have written all that connecting led to. @returns how long that took */
async function untilSettled({ gateways }: LargeServerWorld): Promise<number> {
  const startedAt = performance.now();
  const framesSent = async () =>
    sum((await Promise.all(gateways.map(metricsOf))).map((read) => read("gateway_frames_sent_total")));
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

/** Changes a role that hides channels, and kicks members without a connection, one after another. */
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
