import { join } from "node:path";
import { Member } from "@parley/contracts";
import { migrate } from "@parley/database";
import {
  createClient,
  createServerWithMembers,
  runContext,
  type ServerFixture,
  startNatsCluster,
  startPostgresWithStandby,
  startRedisWithSentinels,
  startStack,
  waitUntil,
} from "@parley/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { readHistory } from "../../deploy/rolling-traffic.js";
import { type Failure, type Posted, startPosting, stayConnected } from "./kill-load.js";

/**
 * 200 clients, and in each server so many messages a second as far as they are answered. `FAILOVER_MESSAGES=20` makes that 200 over
 * all, for which three NATS servers, two PostgreSQL servers and the services want more than two busy processors.
 */
const serverCount = 10;
const clientsOfServer = 20;
const perServer = { messagesPerSecond: Number(process.env.FAILOVER_MESSAGES ?? 5), postingMax: 20 };

/** The promises of each failover. */
const errorsEndWithinMs = 10_000;
/**
 * 12 s on a machine with nothing else to do: NATS takes up to 9 s to choose a leader, and waiting events are published
 * then.
 */
const latestEventMs = 20_000;
const presenceRightWithinMs = 30_000;
/** Messages that are to be answered before a kill and after it, over all servers. */
const settledMessages = 200;

interface Cluster {
  readonly fixture: ServerFixture;
  readonly clients: ReturnType<typeof stayConnected>[];
  readonly posting: ReturnType<typeof startPosting>;
}

/** The cost of a failover. */
interface Cost {
  readonly killed: string;
  readonly killedAtMs: number;
  /** When the replacement got the command to take over, where a failover needs one. */
  readonly decidedAtMs: number;
  readonly presenceAtMs: number;
  readonly endedAtMs: number;
}

test("the leader of the stream, the primary of Redis and that of PostgreSQL die under load: nothing acknowledged is lost, nothing comes twice, and what takes over does so in time", async () => {
  const undo: (() => Promise<unknown>)[] = [];
  const owned = async <Owned extends { stop: () => Promise<unknown> }>(starting: Promise<Owned>): Promise<Owned> => {
    const started = await starting;
    undo.push(started.stop);
    return started;
  };
  try {
    const [nats, redis, postgres] = await Promise.all([
      owned(startNatsCluster()),
      owned(startRedisWithSentinels()),
      owned(startPostgresWithStandby()),
    ]);
    await migrate({ databaseUrl: postgres.url, migrationsDir: join(runContext().root, "prisma", "migrations") });
    const stack = await owned(
      // Its own: the servers below it fail over.
      startStack({
        apis: 2,
        gateways: 2,
        databaseUrl: postgres.url,
        env: { NATS_URL: nats.url, REDIS_URL: redis.url, STREAM_REPLICAS: "3" },
      }),
    );
    const connected = await Promise.all(
      Array.from({ length: serverCount }, async () => {
        const fixture = await createServerWithMembers(createClient(stack.edgeUrl), clientsOfServer);
        const clients = fixture.members.map((member) => stayConnected(stack.edgeUrl, member));
        await Promise.all(clients.map(({ connected }) => connected));
        return { fixture, clients };
      }),
    );
    const clusters = connected.map(
      ({ fixture, clients }): Cluster => ({ fixture, clients, posting: startPosting(fixture, perServer) }),
    );
    const answered = () => clusters.reduce((sum, { posting }) => sum + posting.posted.length, 0);
    const failed = () => clusters.reduce((sum, { posting }) => sum + posting.failures.length, 0);
    const moreMessages = async () => {
      const until = answered() + settledMessages;
      await waitUntil(() => answered() >= until, { what: "messages to be answered", timeoutMs: 60_000 });
    };

    /** One member of each server leaves during each failover, and must be seen to be gone. */
    let left = 0;
    const kill = async (killed: string, ends: () => Promise<void>, decide?: () => Promise<void>): Promise<Cost> => {
      await moreMessages();
      const [killedAtMs, failedBefore] = [performance.now(), failed()];
      await ends();
      for (const { clients } of clusters) clients[left]?.close();
      left += 1;
      let decidedAtMs = killedAtMs;
      if (decide !== undefined) {
        await waitUntil(() => failed() > failedBefore, { what: "requests to fail" });
        decidedAtMs = performance.now();
        await decide();
      }
      const presenceAtMs = await waitUntil(
        async () => (await wrongPresences(clusters, left)).length === 0 && performance.now(),
        { timeoutMs: presenceRightWithinMs },
      ).catch(async () => {
        process.stdout.write(`failover: wrong presences: ${(await wrongPresences(clusters, left)).join(", ")}\n`);
        return Number.POSITIVE_INFINITY;
      });
      await moreMessages();
      return { killed, killedAtMs, decidedAtMs, presenceAtMs, endedAtMs: performance.now() };
    };

    const leader = await waitUntil(() => nats.leaderOf("EVENTS"), { what: "a leader of the stream" });
    const costs: Cost[] = [await kill("leader of the stream", () => leader.kill())];
    await leader.restart();
    await waitUntil(() => nats.isInStep("EVENTS"), { what: "the third copy of the stream", timeoutMs: 30_000 });
    const primary = await redis.primary();
    costs.push(await kill("primary of Redis", () => primary.kill()));
    costs.push(await kill("primary of PostgreSQL", () => postgres.primary.kill(), postgres.promote));

    const outcomes = await Promise.all(clusters.map((cluster) => outcomeOf(cluster, left)));
    const posted = clusters.flatMap(({ posting }) => posting.posted);
    const failures = clusters.flatMap(({ posting }) => posting.failures);
    const phases = costs.map((cost) => figuresOf(cost, clusters, posted, failures));
    print(phases, outcomes);

    expect(outcomes).toEqual(outcomes.map(() => ({ lost: 0, doubled: 0, missed: 0, repeated: 0 })));
    expect(failures.filter(({ why }) => !why.includes(" 503"))).toEqual([]);
    for (const phase of phases) {
      expect(phase.errorsMs, phase.killed).toBeLessThan(errorsEndWithinMs);
      expect(phase.latestMs, phase.killed).toBeLessThan(latestEventMs);
      expect(phase.presenceMs, phase.killed).toBeLessThan(presenceRightWithinMs);
    }
    // Only the database is needed to take a message.
    expect(phases.slice(0, 2).map(({ failures }) => failures)).toEqual([0, 0]);
  } finally {
    for (const step of undo.reverse()) await step();
  }
}, 300_000);

/** The wrong statuses: everybody is online except the users who left, and the owners, who never came. */
async function wrongPresences(clusters: readonly Cluster[], left: number): Promise<string[]> {
  const answers = await Promise.all(
    clusters.map(async ({ fixture: { owner, server, members } }) => {
      const stayed = new Set(members.slice(left).map(({ user }) => user.id));
      const answer = await owner.get(`/servers/${server.id}/members?limit=100`);
      return answer
        .expect(200, z.array(Member))
        .filter(({ user_id, status }) => (status === "online") !== stayed.has(user_id))
        .map(({ user_id, status }) => `${user_id} ${status}`);
    }),
  );
  return answers.flat();
}

/** Waits until everybody who stayed has every acknowledged message, and counts the deviations. */
async function outcomeOf({ fixture, clients, posting }: Cluster, left: number) {
  const acknowledged = (await posting.stop()).map(({ id }) => id);
  const stayed = clients.slice(left);
  const missing = () =>
    stayed.reduce((sum, { receivedAtMs }) => sum + acknowledged.filter((id) => !receivedAtMs.has(id)).length, 0);
  // The count below has the messages that are still missing then.
  await waitUntil(() => missing() === 0, { timeoutMs: 30_000 }).catch(() => undefined);
  for (const { close } of stayed) close();
  const history = await readHistory(fixture);
  const stored = new Set(history);
  return {
    lost: acknowledged.filter((id) => !stored.has(id)).length,
    doubled: history.length - stored.size,
    missed: missing(),
    repeated: clients.reduce((sum, { contents }) => sum + contents.length - new Set(contents).size, 0),
  };
}

/** The figures from a kill to the next one. */
function figuresOf(
  { killed, killedAtMs, decidedAtMs, presenceAtMs, endedAtMs }: Cost,
  clusters: readonly Cluster[],
  posted: readonly Posted[],
  failures: readonly Failure[],
) {
  const within = (atMs: number) => atMs >= killedAtMs && atMs <= endedAtMs;
  const answeredAt = posted.map(({ answeredAtMs }) => answeredAtMs).filter(within);
  const failed = failures.filter(({ atMs }) => within(atMs));
  const gaps = answeredAt.toSorted((one, other) => one - other).map((atMs, at, all) => atMs - (all[at - 1] ?? atMs));
  const lateness = clusters.flatMap(({ clients, posting }) =>
    posting.posted
      .filter(({ answeredAtMs }) => within(answeredAtMs))
      .flatMap(({ id, answeredAtMs }) =>
        clients.map(({ receivedAtMs }) => (receivedAtMs.get(id) ?? answeredAtMs) - answeredAtMs),
      ),
  );
  const largest = (values: readonly number[]) => values.reduce((most, value) => Math.max(most, value), 0);
  return {
    killed,
    answered: answeredAt.length,
    failures: failed.length,
    gapMs: largest(gaps),
    errorsMs: largest(failed.map(({ atMs }) => atMs - decidedAtMs)),
    latestMs: largest(lateness),
    presenceMs: presenceAtMs - killedAtMs,
  };
}

function print(
  phases: readonly ReturnType<typeof figuresOf>[],
  outcomes: readonly Awaited<ReturnType<typeof outcomeOf>>[],
): void {
  const sum = (key: keyof (typeof outcomes)[number]) => outcomes.reduce((total, outcome) => total + outcome[key], 0);
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
  const lines = phases.map(
    ({ killed, answered, failures, gapMs, errorsMs, latestMs, presenceMs }) =>
      `failover: ${killed} killed: ${answered} answered, ${failures} failed, longest gap ${seconds(gapMs)}, ` +
      `last error after ${seconds(errorsMs)}, latest event ${seconds(latestMs)}, presence right after ${seconds(presenceMs)}`,
  );
  lines.push(
    `failover: over all: ${sum("lost")} lost, ${sum("doubled")} doubled, ` +
      `${sum("missed")} missed by clients, ${sum("repeated")} repeated to clients`,
  );
  process.stdout.write(`${lines.join("\n")}\n`);
}
