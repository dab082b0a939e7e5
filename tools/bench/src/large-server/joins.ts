import { waitUntil } from "@parley/testing";
import { connectGateway } from "@parley/testing/gateway-client";
import { Clients } from "../clients/clients.js";
import { gatewayDialect } from "../gateway/contestants.js";
import { upTo } from "../gateway/rounds.js";
import { percentile, report, sendSteadily, sum } from "../measure.js";
import { cpuSeconds } from "../processes.js";
import { insertUsers } from "../world.js";
import type { LargeServerSizes } from "./sizes.js";
import { type LargeServer, type LargeServerWorld, sendMessages } from "./world.js";

/** How members are told of those who join. */
const watchingQuery = "v=2&members=all&presence=none";
const othersQuery = "presence=none";

/** What messages to the others took in one phase. */
interface JoinPhase {
  what: string;
  joined: number;
  p50Ms: number;
  p99Ms: number;
  /** Of both gateways, per second. */
  processorMs: number;
  complete: number;
}

/**
 * Sends messages to the members of a large server while accounts join it: nobody joins, they join and nobody has asked
 * for members, they join and one in a hundred has asked. Prints what the messages to the others took (the goal is no
 * measurable difference), and checks that who asked was told of every join, in the order of the answers.
 */
export async function reportJoins(
  world: LargeServerWorld,
  server: LargeServer,
  { sizes, payloadBytes }: { sizes: LargeServerSizes; payloadBytes: number },
): Promise<JoinPhase[]> {
  const { connected, watching, joinsPerSecond, joinMessagesPerSecond, joinSeconds } = sizes;
  const userIds = server.userIds.slice(1, 1 + connected);
  const crowds = world.gateways.map(({ port }) => ({
    target: { port, dialect: gatewayDialect },
    clients: new Clients(1),
  }));
  const watchers = new Clients(1);
  const pathsOf = (ids: readonly string[], query: string) => ids.map((id) => world.socketPath(id, `&${query}`));
  try {
    await Promise.all(
      crowds.map(({ target, clients }, index) =>
        clients.connect(
          target,
          pathsOf(
            userIds.slice(watching).filter((_, n) => n % 2 === index),
            othersQuery,
          ),
        ),
      ),
    );
    const measure = async (what: string, perSecond: number): Promise<JoinPhase> => {
      const strangers = await insertUsers(world.pool, perSecond * joinSeconds);
      await Promise.all(crowds.map(({ clients }) => clients.begin({ payloadBytes })));
      const before = await gatewaySeconds(world);
      const joining = strangers.length === 0 ? null : join(world, server, strangers, perSecond);
      const sentAt = await sendMessages(world, server, {
        perSecond: joinMessagesPerSecond,
        isDone: upTo(joinMessagesPerSecond * joinSeconds),
      });
      await joining;
      const deliveries = await Promise.all(crowds.map(({ clients }) => clients.finish(sentAt)));
      const processorMs = (((await gatewaySeconds(world)) - before) / joinSeconds) * 1_000;
      const delays = deliveries.map(({ delaysMs }) => delaysMs);
      const slowest = (share: number) => Math.max(...delays.map((delaysMs) => percentile(delaysMs, share)));
      const complete = sum(deliveries.map((delivery) => delivery.complete));
      return { what, joined: strangers.length, p50Ms: slowest(0.5), p99Ms: slowest(0.99), processorMs, complete };
    };
    // The first messages warm up.
    await measure("", 0);
    const phases = [await measure("nobody joins", 0), await measure("nobody has asked for members", joinsPerSecond)];
    const target = { port: world.gateways[0].port, dialect: gatewayDialect };
    await watchers.connect(target, pathsOf(userIds.slice(1, watching), watchingQuery));
    const [path = "", query = ""] = world.socketPath(userIds[0] ?? "", `&${watchingQuery}`).split("?");
    const witness = connectGateway(world.gateways[1].url, "", { path, query });
    await witness.ready;
    phases.push(await measure(`${watching} have asked for members`, joinsPerSecond));
    const told = () => witness.events.filter((event) => event.name === "MEMBER_JOIN").length;
    await waitUntil(() => told() === phases.at(-1)?.joined, { what: "every MEMBER_JOIN" });
    witness.terminate();
    reportPhases(phases, sizes);
    return phases;
  } finally {
    await Promise.all([watchers.stop(), ...crowds.map(({ clients }) => clients.stop())]);
  }
}

function join({ call }: LargeServerWorld, { serverId }: LargeServer, strangers: readonly string[], perSecond: number) {
  return sendSteadily({ perSecond, isDone: upTo(strangers.length) }, (n) =>
    call(strangers[n] ?? "", "POST", `/servers/${serverId}/join`),
  );
}

async function gatewaySeconds({ gateways }: LargeServerWorld): Promise<number> {
  return sum(await Promise.all(gateways.map(({ pid }) => cpuSeconds(pid()))));
}

function reportPhases(phases: readonly JoinPhase[], { connected, watching, ...sizes }: LargeServerSizes): void {
  report(`${sizes.joinsPerSecond} joins/s, ${connected} connected, ${sizes.joinMessagesPerSecond} messages/s to all:`);
  for (const { what, p50Ms, p99Ms, processorMs, complete } of phases) {
    report(
      `  ${what}: POST to socket p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms; gateways ${processorMs.toFixed(0)} ms of processor a second; ${complete} of ${connected - watching} sockets got all`,
    );
  }
  const [, without, beside] = phases;
  if (without === undefined || beside === undefined) return;
  const ratio = (of: "p99Ms" | "processorMs") => (beside[of] / without[of]).toFixed(2);
  report(
    `  with those who asked, against without: p99 ${ratio("p99Ms")} times, processor ${ratio("processorMs")} times`,
  );
}
