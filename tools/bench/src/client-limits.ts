import { resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import * as thisBuild from "@parley/client";
import { median, repeat, report, timeOf } from "./measure.js";
import { withStack } from "./stack.js";

type Client = typeof thisBuild;

const sizes = { burst: 600, workers: 3, sendsPerWorker: 500, reads: 400, readLanes: 8, alone: 100 };

/** The limits of docs/interface.md#1.6, and an account that can make the world quickly. */
const limits = { RATE_LIMIT_AUTH_BURST: "1000", RATE_LIMIT_REST_BURST: "1000", RATE_LIMIT_BOT_RPS: "50" };

interface World {
  client: Client;
  baseUrl: string;
  owner: thisBuild.ParleyClient;
  serverId: string;
}

/** A bot, so many clients of it, and the requests and refusals of all of them. */
async function createBot({ client, baseUrl, owner, serverId }: World, doors = 1) {
  const { token } = await owner.bots.create({ name: "Bench" });
  const counts = { requests: 0, refused: 0 };
  const counting: typeof fetch = async (input, init) => {
    counts.requests += 1;
    const response = await fetch(input, init);
    if (response.status === 429) counts.refused += 1;
    return response;
  };
  const bots = Array.from({ length: doors }, () => client.createClient({ baseUrl, botToken: token, fetch: counting }));
  await bots[0]?.servers.join(serverId);
  const channel = await owner.channels.create(serverId, { name: "general" });
  counts.requests = 0;
  return { bots, channelId: channel.id, counts };
}

async function burst(world: World): Promise<void> {
  const { bots, channelId, counts } = await createBot(world);
  const other = await createBot(world);
  const alone = median(await probe(other.bots[0], () => false));
  let isOver = false;
  const probing = probe(other.bots[0], () => !isOver);
  const name = `${sizes.burst} sends at once`;
  await measure(name, { counts, ideal: sizes.burst, lanes: sizes.burst }, (n) =>
    bots[0]?.messages.send(channelId, { content: `m${n}` }),
  );
  isOver = true;
  const beside = median(await probing);
  const history: number[] = [];
  for await (const { content } of world.owner.pages.messages(channelId)) history.push(Number(content.slice(1)));
  const inversions = history.filter((n, at) => n > (history[at - 1] ?? Number.POSITIVE_INFINITY)).length;
  report(
    `  inversions in the history: ${inversions}; another bot's p50 ${alone.toFixed(1)} ms alone, ${beside.toFixed(1)} ms beside`,
  );
}

/** Requests of another bot, twenty a second, so long as `goesOn` says so, and at least some. */
async function probe(bot: thisBuild.ParleyClient | undefined, goesOn: () => boolean): Promise<number[]> {
  const times: number[] = [];
  while (times.length < sizes.alone || goesOn()) {
    times.push(await timeOf(async () => bot?.users.me()));
    await pause(50);
  }
  return times;
}

async function measure(
  name: string,
  { counts, ideal, lanes }: { counts: { requests: number; refused: number }; ideal: number; lanes: number },
  request: (n: number, lane: number) => Promise<unknown> | undefined,
): Promise<void> {
  const seconds = (await timeOf(() => repeat(ideal, lanes, async (n, lane) => request(n, lane)))) / 1_000;
  const ratio = (counts.requests / ideal).toFixed(2);
  report(
    `${name}: ${counts.requests} requests (${ratio} of ${ideal}), ${counts.refused} of them 429, ${seconds.toFixed(1)} s`,
  );
}

/**
 * Requests that a bot's work takes beside the fewest that it could, with the limits of production.
 *
 * @param options the folder of another build of the client, to measure that instead
 */
export async function benchClientLimits([folder]: readonly string[]): Promise<void> {
  const client: Client =
    folder === undefined ? thisBuild : await import(pathToFileURL(resolve(folder, "index.js")).href);
  await withStack(limits, async (stack) => {
    const { url: baseUrl } = await stack.start("api");
    const owner = thisBuild.createClient({ baseUrl });
    await owner.register({ username: "bench_owner", password: "correct horse" });
    const world = { client, baseUrl, owner, serverId: (await owner.servers.create({ name: "B", is_public: true })).id };
    await burst(world);
    const { workers, sendsPerWorker, reads, readLanes } = sizes;
    for (const doors of [1, workers]) {
      const { bots, channelId, counts } = await createBot(world, doors);
      const name = `${workers} workers of ${sendsPerWorker} sends, ${doors} client${doors > 1 ? "s" : ""}`;
      await measure(name, { counts, ideal: workers * sendsPerWorker, lanes: workers }, (n, worker) =>
        bots[worker % doors]?.messages.send(channelId, { content: `m${n}` }),
      );
    }
    const { bots, channelId, counts } = await createBot(world);
    const { id } = await owner.messages.send(channelId, { content: "one" });
    await measure(`${reads} reads, ${readLanes} at once`, { counts, ideal: reads, lanes: readLanes }, () =>
      bots[0]?.messages.get(channelId, id),
    );
  });
}
