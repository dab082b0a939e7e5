import { setTimeout as pause } from "node:timers/promises";
import type { ServerProcess } from "@parley/local-stack";
import { bench } from "../bench.js";
import { Clients } from "../clients/clients.js";
import { resumable } from "../clients/connection.js";
import { delaysBetween, expectedOf, receivedOf } from "../clients/received.js";
import type { FloorFunctions } from "../floor-server.js";
import { check, clockMs, percentile, percentilesInWords, ratio, report, sum } from "../measure.js";
import { cpuSeconds } from "../processes.js";
import { startProgram } from "../program.js";
import { startPublisher } from "../publisher.js";
import { type BenchStack, withStack } from "../stack.js";
import { databaseMs, recordStatements } from "../statements.js";
import { audiencesOf, createCommunity } from "../world.js";

const sizes = {
  users: 10_000,
  servers: 2_000,
  channelsPerServer: 10,
  directMessagesPerUser: 20,
  /** The other gateway's own clients. */
  watchers: 200,
  perSecond: 200,
  /** How long events are sent before the death, and after the last has continued. */
  calmSeconds: 10,
  afterSeconds: 3,
};
const quick = {
  ...{ users: 200, servers: 200, channelsPerServer: 2, directMessagesPerUser: 4 },
  ...{ watchers: 20, calmSeconds: 1, afterSeconds: 1 },
};
const shape = { serversPerUser: 20, messagesPerChannel: 1 };
/** Processes of the clients of the gateway that dies. */
const crowdProcesses = 2;

/** A gateway is killed under traffic; its numbered clients continue on another one, which has clients of its own. */
export default bench({ sizes, quick }, (chosen) =>
  withStack({}, async (stack) => {
    const { users, watchers, perSecond } = chosen;
    await recordStatements(stack);
    const userIds = await createCommunity(stack.pool, { ...chosen, ...shape, users: users + watchers });
    const paths = userIds.map((userId) => stack.socketPath(userId));
    const audiences = await audiencesOf(stack.pool, userIds);
    const [dying, other] = [await stack.start("gateway"), await stack.start("gateway")];
    const [crowd, own] = [new Clients(crowdProcesses), new Clients(1)];
    await own.connect([other], paths.slice(users), { first: users, dialect: resumable });
    await crowd.connect([dying], paths.slice(0, users), { dialect: resumable });
    const publisher = await startPublisher(stack.servers.nats.url);
    await Promise.all([crowd.begin({}), own.begin({})]);
    let isOver = false;
    const publishing = publisher.publishNumbered(audiences, { perSecond, isDone: () => isOver });
    report(
      `${users} numbered connections with ${shape.serversPerUser} servers each, their gateway killed under ${perSecond} messages/s`,
    );

    await pause(chosen.calmSeconds * 1_000);
    const killedAt = clockMs();
    await dying.kill();
    const before = await readTimes(stack, other);
    const continued = await crowd.continue(other.port);
    const after = await readTimes(stack, other);
    await pause(chosen.afterSeconds * 1_000);
    isOver = true;
    const sentAt = await publishing;
    await publisher.close();

    const expected = expectedOf(audiences, sentAt.length);
    const countOf = (client: number) => expected.get(client)?.length ?? 0;
    const [ofOwn, ofCrowd] = await Promise.all([own.collect(countOf), crowd.collect(countOf)]);
    await Promise.all([crowd.stop(), own.stop(), other.stop()]);
    const { startedAt, endedAt, answeredMs, answers, begunAnew } = continued;
    const { skipped, ...received } = receivedOf(expected, audiences.length, [...ofOwn, ...ofCrowd], begunAnew);
    const wrong = { lost: 0, repeated: 0, unordered: 0, foreign: 0 };
    check("what clients got", received, { expected: received.expected, ...wrong });
    check("clients that did not continue", [continued.failed, users - answeredMs.length], [0, 0]);
    const gateway = after.gateway - before.gateway;
    const eachMs = (seconds: number) => (seconds / answeredMs.length) * 1_000;
    report(
      `  continued  ${inSeconds(answeredMs)}  (goal: 5 s); ${JSON.stringify(answers)}, ${continued.cut} cut and tried again; ${received.expected} events expected, ${received.lost} lost, ${received.repeated} repeated, ${skipped} not sent to those who got READY`,
    );
    report(
      `  cost each  database ${eachMs(after.database - before.database).toFixed(3)} ms  (goal: 0.5; every statement of that time), ${eachMs(gateway).toFixed(2)} ms of the gateway's processor`,
    );
    const [calm, meanwhile] = [
      delaysBetween(ofOwn, sentAt, { from: 0, to: killedAt }),
      delaysBetween(ofOwn, sentAt, { from: startedAt, to: endedAt }),
    ];
    report(
      `  meanwhile  events to ${watchers} clients of the other gateway: ${percentilesInWords(meanwhile)}; before ${percentilesInWords(calm)}; ratio of p99 ${ratio(percentile(meanwhile, 0.99), percentile(calm, 0.99), 1)}  (goal: 2, or 15 ms)`,
    );
    const arrivals = ofCrowd.map(({ arrivedAt }) => arrivedAt.filter((at) => at >= startedAt && at <= endedAt).length);
    const events = Math.round(sum(arrivals) / answeredMs.length);
    for (const writes of ["one", "each"] as const) {
      const floor = await measureFloor(paths.slice(0, users), events, writes);
      report(
        `  floor      bare ws, the same clients, ${events} events to each in ${writes === "one" ? "one write" : "a write each"}: ${inSeconds(floor.answeredMs)}, ${eachMs(floor.cpu).toFixed(2)} ms of its processor each; the gateway takes ${ratio(percentile(answeredMs, 1), percentile(floor.answeredMs, 1), 1)} and ${ratio(gateway, floor.cpu, 1)} times as much`,
      );
    }
  }),
);

const inSeconds = (times: Float64Array) =>
  `all after ${(percentile(times, 1) / 1_000).toFixed(2)} s from the first reconnect, half after ${(percentile(times, 0.5) / 1_000).toFixed(2)} s`;

/** Seconds of the database's statements, and of the gateway's processor. */
async function readTimes({ pool }: BenchStack, { pid }: ServerProcess) {
  return { database: (await databaseMs(pool)) / 1_000, gateway: await cpuSeconds(pid()) };
}

/** The clients of a server that dies come to another one, which does nothing but upgrade and write so many events to each. */
async function measureFloor(paths: readonly string[], events: number, writes: "one" | "each") {
  const [dying, other] = [startFloor(), startFloor()];
  const clients = new Clients(crowdProcesses);
  await clients.connect([{ port: await dying.call("resuming", 0, "each") }], paths, { dialect: resumable });
  const port = await other.call("resuming", events, writes);
  await dying.stop();
  const before = await cpuSeconds(other.pid);
  const { answeredMs } = await clients.continue(port);
  const cpu = (await cpuSeconds(other.pid)) - before;
  await Promise.all([clients.stop(), other.stop()]);
  check("clients that continue on bare ws", answeredMs.length, paths.length);
  return { answeredMs, cpu };
}

const startFloor = () => startProgram<FloorFunctions>("floor-server");
