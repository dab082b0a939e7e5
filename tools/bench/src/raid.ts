import { connectGateway } from "@parley/testing/gateway-client";
import { Clients } from "./clients/clients.js";
import { gatewayDialect } from "./gateway/contestants.js";
import { upTo } from "./gateway/rounds.js";
import {
  connectNeighbour,
  createLargeServer,
  type LargeServer,
  type LargeServerWorld,
  type Neighbour,
  type NeighbourLatencies,
  startLargeServerWorld,
} from "./large-server/world.js";
import { ascending, clockMs, joined as joinedTimes, percentile, report, sendSteadily, timer } from "./measure.js";
import { type BenchStack, withStack } from "./stack.js";
import { insertUsers } from "./world.js";

/** How much of a raid there is. */
export interface RaidSizes {
  connected: number;
  attackersPerMinute: number;
  attackSeconds: number;
  messagesOfEach: number;
  /** Joins of young accounts within a minute that are no raid yet. */
  joinsPerMinute: number;
  /** Messages of older members, a second. */
  messagesPerSecond: number;
  /** How long the other server is measured without the raid. */
  aloneSeconds: number;
}

/** What the goals speak of. */
const fullSizes: RaidSizes = {
  connected: 10_000,
  attackersPerMinute: 2_000,
  attackSeconds: 60,
  messagesOfEach: 5,
  joinsPerMinute: 60,
  messagesPerSecond: 2,
  aloneSeconds: 30,
};

/** Enough to see that all is counted. */
export const quickSizes: RaidSizes = {
  connected: 100,
  attackersPerMinute: 600,
  attackSeconds: 4,
  messagesOfEach: 5,
  joinsPerMinute: 10,
  messagesPerSecond: 5,
  aloneSeconds: 1,
};

/**
 * Fresh accounts that join a large server and write in it, as fast as the goals say, while older members write at a
 * steady rate and a small server on the same processes does, too.
 *
 * @param options `--quick` for sizes that only show that it works
 */
export async function benchRaid(options: readonly string[]): Promise<void> {
  const sizes = options.includes("--quick") ? quickSizes : fullSizes;
  await withStack({}, async (stack) => {
    reportRaid(await measureRaid(stack, sizes), sizes);
  });
}

/** What came of a raid. */
export type RaidResult = Awaited<ReturnType<typeof measureRaid>>;

export async function measureRaid(stack: BenchStack, sizes: RaidSizes) {
  const world = await startLargeServerWorld(stack);
  const server = await createLargeServer(world.pool, sizes.connected + 2, 5);
  await stack.pool.query("UPDATE users SET created_at = now() - interval '30 days'");
  const settings = { raid_shield: true, raid_joins_per_minute: sizes.joinsPerMinute };
  await world.call(server.userIds[0] ?? "", "PATCH", `/servers/${server.serverId}/safety`, settings);
  const attackers = await insertUsers(world.pool, (sizes.attackersPerMinute * sizes.attackSeconds) / 60);
  const crowd = await connectCrowd(world, server);
  const neighbour = await connectNeighbour(world);
  try {
    const olderMembers = (isDone: () => boolean) => writeAsMembers(world, server, { ...sizes, isDone });
    // The first requests warm up.
    await Promise.all([olderMembers(timer(3_000)), neighbour.measure(timer(3_000))]);
    const alone = timer(sizes.aloneSeconds * 1_000);
    const [, without] = await Promise.all([olderMembers(alone), neighbour.measure(alone)]);

    const crowded = await writeAsCrowd(world, server, { ...sizes, measure: neighbour.measure });

    const witness = await connectWitness(world, server);
    const state = { inForceAt: Number.NaN, isOver: false };
    const isInForce = () => state.isOver || !Number.isNaN(state.inForceAt);
    const attacking = attack(world, server, { ...sizes, attackers, state }).finally(() => {
      state.isOver = true;
    });
    const measuring = neighbour
      .measure(isInForce)
      .then(async (before) => ({ before, after: await neighbour.measure(() => state.isOver) }));
    const [attempts, members, beside] = await Promise.all([attacking, olderMembers(() => state.isOver), measuring]);
    return { ...attempts, ...(await witness.finish(attempts)), members, without, crowded, beside };
  } finally {
    neighbour.close();
    await crowd.stop();
  }
}

/** Connects the older members, half of them to each gateway. */
async function connectCrowd(world: LargeServerWorld, { userIds }: LargeServer) {
  const crowds = world.gateways.map(({ port }) => ({
    target: { port, dialect: gatewayDialect },
    clients: new Clients(1),
  }));
  const paths = userIds.slice(2).map((id) => world.socketPath(id, "&presence=none"));
  await Promise.all(
    crowds.map(({ target, clients }, index) =>
      clients.connect(
        target,
        paths.filter((_, n) => n % 2 === index),
      ),
    ),
  );
  return { stop: () => Promise.all(crowds.map(({ clients }) => clients.stop())) };
}

/** The owner on one gateway and a member on the other: what they are told is what others are. */
async function connectWitness(world: LargeServerWorld, { userIds: [owner = "", member = ""], channelId }: LargeServer) {
  const connect = (userId: string, gateway: 0 | 1) => {
    const [path = "", query = ""] = world.socketPath(userId, "&v=2&presence=none").split("?");
    return connectGateway(world.gateways[gateway].url, "", { path, query });
  };
  const [ownerClient, memberClient] = [connect(owner, 0), connect(member, 1)];
  await Promise.all([ownerClient.ready, memberClient.ready]);
  const told = ownerClient.waitFor("SERVER_RAID_START", undefined, { timeoutMs: 300_000 }).then(() => clockMs());
  return {
    /** What of the attackers' messages was delivered, once none is under way any more. */
    async finish({ thresholdAt, inForceAt, sentAt }: Attack) {
      const last = await world.send(member, channelId, "the last one");
      await memberClient.waitFor("MESSAGE_CREATE", ({ id }) => id === last.id, { timeoutMs: 60_000 });
      const announcedAt = await told;
      const delivered = memberClient.events
        .filter(({ name }) => name === "MESSAGE_CREATE")
        .flatMap(({ payload }) => sentAt.get(String(Object(payload).content)) ?? []);
      for (const client of [ownerClient, memberClient]) client.terminate();
      const isLater = (at: number) => at >= inForceAt;
      return {
        inForceMs: inForceAt - thresholdAt,
        announcedMs: announcedAt - thresholdAt,
        laterSent: [...sentAt.values()].filter(isLater).length,
        laterDelivered: delivered.filter(isLater).length,
        delivered: delivered.length,
      };
    },
  };
}

interface Attack {
  /** When the join was sent that was one too many, by the machine's monotonic clock. */
  thresholdAt: number;
  /** When it was answered, or another was refused. */
  inForceAt: number;
  joined: number;
  joinsRefused: number;
  /** When each message was sent, by its content. */
  sentAt: ReadonlyMap<string, number>;
}

/** Each attacker joins and writes, whatever the answers are. */
async function attack(
  { call, send }: LargeServerWorld,
  { serverId, channelId }: LargeServer,
  { attackers, state, ...sizes }: RaidSizes & { attackers: readonly string[]; state: { inForceAt: number } },
): Promise<Attack> {
  const joinSentAt: number[] = [];
  const begun = () => {
    if (Number.isNaN(state.inForceAt)) state.inForceAt = clockMs();
  };
  const sentAt = new Map<string, number>();
  let joinsRefused = 0;
  const pace = { perSecond: sizes.attackersPerMinute / 60, isDone: upTo(attackers.length) };
  await sendSteadily(pace, async (n) => {
    const userId = attackers[n] ?? "";
    const from = clockMs();
    await call(userId, "POST", `/servers/${serverId}/join`).then(
      () => {
        joinSentAt.push(from);
        if (joinSentAt.length > sizes.joinsPerMinute) begun();
      },
      () => {
        joinsRefused += 1;
        begun();
      },
    );
    for (let message = 0; message < sizes.messagesOfEach; message += 1) {
      const content = `raid ${n} ${message}`;
      sentAt.set(content, clockMs());
      await send(userId, channelId, content).catch(() => undefined);
    }
  });
  const thresholdAt = ascending(joinSentAt)[sizes.joinsPerMinute] ?? Number.NaN;
  return { thresholdAt, inForceAt: state.inForceAt, joined: joinSentAt.length, joinsRefused, sentAt };
}

/** Older members write in turn, until it is over. */
async function writeAsMembers(
  { send }: LargeServerWorld,
  { channelId, userIds }: LargeServer,
  { messagesPerSecond, isDone }: { messagesPerSecond: number; isDone: () => boolean },
): Promise<{ sent: number; refused: number }> {
  let refused = 0;
  const sent = await sendSteadily({ perSecond: messagesPerSecond, isDone }, async (n) => {
    await send(userIds[2 + (n % 100)] ?? "", channelId, `member ${n}`).catch(() => {
      refused += 1;
    });
  });
  return { sent: sent.length, refused };
}

/**
 * As many older members write as many messages in as short a time as the attackers who join before it is a raid: what
 * the other server bears of a large one that is busy, whoever writes.
 */
async function writeAsCrowd(
  { send }: LargeServerWorld,
  { channelId, userIds }: LargeServer,
  { measure, ...sizes }: RaidSizes & { measure: Neighbour["measure"] },
): Promise<NeighbourLatencies> {
  const messages = sizes.joinsPerMinute * sizes.messagesOfEach;
  const perSecond = (sizes.attackersPerMinute / 60) * sizes.messagesOfEach;
  const lasting = timer(sizes.attackSeconds * 1_000);
  const writers = userIds.slice(2, 2 + sizes.joinsPerMinute);
  const [latencies] = await Promise.all([
    measure(lasting),
    sendSteadily({ perSecond, isDone: upTo(messages) }, (n) =>
      send(writers[n % writers.length] ?? "", channelId, `crowd ${n}`).catch(() => undefined),
    ),
  ]);
  return latencies;
}

function reportRaid(result: RaidResult, sizes: RaidSizes): void {
  const { joined, joinsRefused, inForceMs, announcedMs, laterSent, laterDelivered, delivered, members } = result;
  report(
    `${sizes.attackersPerMinute} fresh accounts a minute for ${sizes.attackSeconds} s, ${sizes.messagesOfEach} messages each, ${sizes.connected} connected:`,
  );
  report(`  ${joined} joined, ${joinsRefused} refused; a raid is more than ${sizes.joinsPerMinute} a minute`);
  report(
    `  from the join that was too many until it was answered ${inForceMs.toFixed(0)} ms, until the owner was told ${announcedMs.toFixed(0)} ms  (goal: 2000)`,
  );
  const share = (1 - laterDelivered / laterSent) * 100;
  report(
    `  messages of attackers: ${delivered} delivered; of ${laterSent} sent under raid ${laterDelivered}, so ${share.toFixed(2)} % were not  (goal: 99)`,
  );
  report(`  messages of older members: ${members.refused} of ${members.sent} refused  (goal: 0)`);
  const { without, crowded, beside } = result;
  for (const what of ["postMs", "deliveredMs"] as const) {
    const both = joinedTimes([beside.before[what], beside.after[what]]);
    const figures = (ms: Float64Array) =>
      `p50 ${percentile(ms, 0.5).toFixed(1)}, p99 ${percentile(ms, 0.99).toFixed(1)} ms`;
    const ratioTo = (ms: Float64Array) => (percentile(both, 0.99) / percentile(ms, 0.99)).toFixed(1);
    report(
      `  other server, ${what === "postMs" ? "POST" : "delivered"}: without ${figures(without[what])}; beside ${figures(both)}, ratio ${ratioTo(without[what])}  (goal: 3); of these under raid ${figures(beside.after[what])}`,
    );
    report(
      `    beside as many messages of ${sizes.joinsPerMinute} older members ${figures(crowded[what])}; the raid to it ${ratioTo(crowded[what])}`,
    );
  }
}
