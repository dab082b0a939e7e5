import { bench } from "../bench.js";
import { Clients } from "../clients/clients.js";
import {
  createLargeServer,
  type LargeServer,
  type LargeServerWorld,
  startLargeServerWorld,
} from "../large-server/world.js";
import {
  ascending,
  check,
  clockMs,
  joined,
  percentile,
  percentilesInWords,
  ratio,
  report,
  sendSteadily,
  timer,
  upTo,
} from "../measure.js";
import { connectQuietServer } from "../quiet-server.js";
import { withStack } from "../stack.js";
import { insertUsers } from "../world.js";

const sizes = {
  connected: 10_000,
  attackersPerMinute: 2_000,
  attackSeconds: 60,
  messagesOfEach: 5,
  /** Joins of young accounts within a minute that are no raid yet. */
  joinsPerMinute: 60,
  /** Messages of older members, a second. */
  perSecond: 2,
  /** How long the other server is measured without the raid. */
  aloneSeconds: 30,
};
const quick = {
  ...{ connected: 100, attackersPerMinute: 600, attackSeconds: 4, joinsPerMinute: 10, perSecond: 5, aloneSeconds: 1 },
};

/**
 * Fresh accounts that join a large server and write in it, as fast as the goals say, while older members write at a
 * steady rate and a small server on the same processes does, too.
 */
export default bench({ sizes, quick }, (chosen) =>
  withStack({}, async (stack) => {
    const world = await startLargeServerWorld(stack);
    const server = await createLargeServer(world.pool, chosen.connected + 2, 5);
    await stack.pool.query("UPDATE users SET created_at = now() - interval '30 days'");
    const settings = { raid_shield: true, raid_joins_per_minute: chosen.joinsPerMinute };
    await world.call(server.userIds[0] ?? "", "PATCH", `/servers/${server.serverId}/safety`, settings);
    const attackers = await insertUsers(world.pool, (chosen.attackersPerMinute * chosen.attackSeconds) / 60);
    const crowd = new Clients(2);
    await crowd.connect(
      world.gateways,
      server.userIds.slice(2).map((id) => stack.socketPath(id, "&presence=none")),
    );
    const quiet = await connectQuietServer(stack, world.api, world.gateways);
    const asMembers = (isDone: () => boolean) => writeAsMembers(world, server, chosen.perSecond, isDone);
    // The first requests warm up.
    await Promise.all([asMembers(timer(3_000)), quiet.measure(timer(3_000))]);
    const alone = timer(chosen.aloneSeconds * 1_000);
    const [, without] = await Promise.all([asMembers(alone), quiet.measure(alone)]);

    const witness = await connectWitness(world, server);
    const state = { inForceAt: Number.NaN, isOver: false };
    const isInForce = () => state.isOver || !Number.isNaN(state.inForceAt);
    const attacking = attack(world, server, { ...chosen, attackers, state }).finally(() => {
      state.isOver = true;
    });
    const measuring = quiet
      .measure(isInForce)
      .then(async (before) => ({ before, after: await quiet.measure(() => state.isOver) }));
    const [attempts, members, beside] = await Promise.all([attacking, asMembers(() => state.isOver), measuring]);
    report(
      `${chosen.attackersPerMinute} fresh accounts a minute for ${chosen.attackSeconds} s, ${chosen.messagesOfEach} messages each, ${chosen.connected} connected:`,
    );
    await witness.report(attempts, chosen);
    check("messages of older members that are refused", members.refused, 0);
    report(`  messages of older members: ${members.refused} of ${members.sent} refused  (goal: 0)`);
    for (const what of ["postMs", "deliveredMs"] as const) {
      const both = joined([beside.before[what], beside.after[what]]);
      const times = ratio(percentile(both, 0.99), percentile(without[what], 0.99), 1);
      report(
        `  other server, ${what === "postMs" ? "POST" : "delivered"}: without ${percentilesInWords(without[what])}; beside ${percentilesInWords(both)}, ratio ${times}  (goal: 3); under raid ${percentilesInWords(beside.after[what])}`,
      );
    }
    quiet.close();
    await crowd.stop();
  }),
);

/** The owner on one gateway and a member on the other: they get the same events as all others. */
async function connectWitness(world: LargeServerWorld, { userIds: [owner = "", member = ""], channelId }: LargeServer) {
  const query = "&v=2&presence=none";
  const [ownerClient, memberClient] = [world.connect(owner, 0, query), world.connect(member, 1, query)];
  await Promise.all([ownerClient.ready, memberClient.ready]);
  const announced = ownerClient.waitFor("SERVER_RAID_START", undefined, { timeoutMs: 300_000 }).then(() => clockMs());
  return {
    /** The results of the attackers, once none of their messages is under way any more. */
    async report({ thresholdAt, inForceAt, joins, refused, sentAt }: Attack, { joinsPerMinute }: typeof sizes) {
      const last = await world.send(member, channelId, "the last one");
      await memberClient.waitFor("MESSAGE_CREATE", ({ id }) => id === last.id, { timeoutMs: 60_000 });
      const announcedMs = (await announced) - thresholdAt;
      const delivered = memberClient.events
        .filter(({ name }) => name === "MESSAGE_CREATE")
        .flatMap(({ payload }) => sentAt.get(String(Object(payload).content)) ?? []);
      for (const client of [ownerClient, memberClient]) client.terminate();
      const isLater = (at: number) => at >= inForceAt;
      const [later, sentLater] = [delivered.filter(isLater).length, [...sentAt.values()].filter(isLater).length];
      report(`  ${joins} joined, ${refused} refused; a raid is more than ${joinsPerMinute} a minute`);
      report(
        `  from the join that was too many until it was answered ${(inForceAt - thresholdAt).toFixed(0)} ms, until the owner was told ${announcedMs.toFixed(0)} ms  (goal: 2000)`,
      );
      report(
        `  messages of attackers: ${delivered.length} delivered; of ${sentLater} sent under raid ${later}, so ${((1 - later / sentLater) * 100).toFixed(2)} % were not  (goal: 99)`,
      );
    },
  };
}

interface Attack {
  /** When the join was sent that was one too many, by the machine's monotonic clock. */
  thresholdAt: number;
  /** When it was answered, or another was refused. */
  inForceAt: number;
  joins: number;
  refused: number;
  /** When each message was sent, by its content. */
  sentAt: ReadonlyMap<string, number>;
}

/** Each attacker joins and writes, whatever the answers are. */
async function attack(
  { call, send }: LargeServerWorld,
  { serverId, channelId }: LargeServer,
  { attackers, state, ...chosen }: typeof sizes & { attackers: readonly string[]; state: { inForceAt: number } },
): Promise<Attack> {
  const joinSentAt: number[] = [];
  const begun = () => {
    if (Number.isNaN(state.inForceAt)) state.inForceAt = clockMs();
  };
  const sentAt = new Map<string, number>();
  let refused = 0;
  await sendSteadily({ perSecond: chosen.attackersPerMinute / 60, isDone: upTo(attackers.length) }, async (n) => {
    const userId = attackers[n] ?? "";
    const from = clockMs();
    await call(userId, "POST", `/servers/${serverId}/join`).then(
      () => {
        joinSentAt.push(from);
        if (joinSentAt.length > chosen.joinsPerMinute) begun();
      },
      () => {
        refused += 1;
        begun();
      },
    );
    for (let message = 0; message < chosen.messagesOfEach; message += 1) {
      const content = `raid ${n} ${message}`;
      sentAt.set(content, clockMs());
      await send(userId, channelId, content).catch(() => undefined);
    }
  });
  check("joins", joinSentAt.length, chosen.joinsPerMinute + 1);
  const thresholdAt = ascending(joinSentAt)[chosen.joinsPerMinute] ?? Number.NaN;
  return { thresholdAt, inForceAt: state.inForceAt, joins: joinSentAt.length, refused, sentAt };
}

/** Older members write in turn, until the attack has ended. */
async function writeAsMembers(
  { send }: LargeServerWorld,
  { channelId, userIds }: LargeServer,
  perSecond: number,
  isDone: () => boolean,
): Promise<{ sent: number; refused: number }> {
  let refused = 0;
  const sent = await sendSteadily({ perSecond, isDone }, async (n) => {
    await send(userIds[2 + (n % 100)] ?? "", channelId, `member ${n}`).catch(() => {
      refused += 1;
    });
  });
  return { sent: sent.length, refused };
}
