import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import * as thisBuild from "@parley/client";
import { percentile, report } from "./measure.js";
import { startBenchStack } from "./stack.js";

type Client = typeof thisBuild;

const sizes = { burst: 600, workers: 3, sendsPerWorker: 500, reads: 400, readLanes: 8, alone: 100 };

/** The limits of docs/interface.md#1.6, and an account that can make the world quickly. */
const limits = { RATE_LIMIT_AUTH_BURST: "1000", RATE_LIMIT_REST_BURST: "1000", RATE_LIMIT_BOT_RPS: "50" };

/** Requests and refusals of the clients that use it. */
function countRequests() {
  const counts = { requests: 0, refused: 0 };
  const counting: typeof fetch = async (input, init) => {
    counts.requests += 1;
    const response = await fetch(input, init);
    if (response.status === 429) counts.refused += 1;
    return response;
  };
  return { counts, fetch: counting };
}

interface World {
  client: Client;
  baseUrl: string;
  owner: thisBuild.ParleyClient;
  serverId: string;
}

async function createBot({ client, baseUrl, owner, serverId }: World, doors = 1) {
  const { token } = await owner.bots.create({ name: "Bench" });
  const counter = countRequests();
  const bots = Array.from({ length: doors }, () =>
    client.createClient({ baseUrl, botToken: token, fetch: counter.fetch }),
  );
  await bots[0]?.servers.join(serverId);
  const channel = await owner.channels.create(serverId, { name: "general" });
  counter.counts.requests = 0;
  return { bots, channelId: channel.id, counts: counter.counts };
}

/** Each worker's sends, one after the other, on the clients in turn. */
async function sendInLanes(bots: readonly thisBuild.ParleyClient[], channelId: string): Promise<void> {
  const lane = async (worker: number) => {
    for (let n = 0; n < sizes.sendsPerWorker; n += 1) {
      await bots[worker % bots.length]?.messages.send(channelId, { content: `w${worker} m${n}` });
    }
  };
  await Promise.all(Array.from({ length: sizes.workers }, (_, worker) => lane(worker)));
}

async function burst(world: World): Promise<void> {
  const { bots, channelId, counts } = await createBot(world);
  const other = await createBot(world);
  const times = (await probe(other.bots[0], () => false)).toSorted((a, b) => a - b);
  let isOver = false;
  const beside = probe(other.bots[0], () => !isOver);
  await measure(`${sizes.burst} sends at once`, sizes.burst, counts, async () => {
    await Promise.all(
      Array.from({ length: sizes.burst }, (_, n) => bots[0]?.messages.send(channelId, { content: `m${n}` })),
    );
  });
  isOver = true;
  const besideTimes = (await beside).toSorted((a, b) => a - b);
  const p50 = [times, besideTimes].map((each) => percentile(each, 0.5).toFixed(1));
  const history: number[] = [];
  for await (const { content } of world.owner.pages.messages(channelId)) history.push(Number(content.slice(1)));
  const inversions = history.filter((n, at) => n > (history[at - 1] ?? Number.POSITIVE_INFINITY)).length;
  report(`  inversions in the history: ${inversions}; another bot's p50 ${p50[0]} ms alone, ${p50[1]} ms beside`);
}

/** Requests of another bot, twenty a second, so long as `goesOn` says so, and at least some. */
async function probe(bot: thisBuild.ParleyClient | undefined, goesOn: () => boolean): Promise<number[]> {
  const times: number[] = [];
  while (times.length < sizes.alone || goesOn()) {
    const startedAt = performance.now();
    await bot?.users.me();
    times.push(performance.now() - startedAt);
    await new Promise((wake) => setTimeout(wake, 50));
  }
  return times;
}

async function measure(
  name: string,
  ideal: number,
  counts: { requests: number; refused: number },
  work: () => Promise<void>,
): Promise<void> {
  const startedAt = performance.now();
  await work();
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  const ratio = (counts.requests / ideal).toFixed(2);
  report(`${name}: ${counts.requests} requests (${ratio} of ${ideal}), ${counts.refused} of them 429, ${seconds} s`);
}

/**
 * Requests that a bot's work takes beside the fewest that it could, with the limits of production.
 *
 * @param options the folder of another build of the client, to measure that instead
 */
export async function benchClientLimits([folder]: readonly string[]): Promise<void> {
  const client: Client =
    folder === undefined ? thisBuild : await import(pathToFileURL(resolve(folder, "index.js")).href);
  const stack = await startBenchStack(limits);
  try {
    const { url: baseUrl } = await stack.start("api");
    const owner = thisBuild.createClient({ baseUrl });
    await owner.register({ username: "bench_owner", password: "correct horse" });
    const world = { client, baseUrl, owner, serverId: (await owner.servers.create({ name: "B", is_public: true })).id };
    await burst(world);
    for (const doors of [1, sizes.workers]) {
      const { bots, channelId, counts } = await createBot(world, doors);
      const name = `${sizes.workers} workers of ${sizes.sendsPerWorker} sends, ${doors} client${doors > 1 ? "s" : ""}`;
      await measure(name, sizes.workers * sizes.sendsPerWorker, counts, () => sendInLanes(bots, channelId));
    }
    const { bots, channelId, counts } = await createBot(world);
    const message = await owner.messages.send(channelId, { content: "one" });
    await measure(`${sizes.reads} reads, ${sizes.readLanes} at once`, sizes.reads, counts, async () => {
      const lane = async () => {
        for (let n = 0; n < sizes.reads / sizes.readLanes; n += 1) await bots[0]?.messages.get(channelId, message.id);
      };
      await Promise.all(Array.from({ length: sizes.readLanes }, lane));
    });
  } finally {
    await stack.stop();
  }
}
