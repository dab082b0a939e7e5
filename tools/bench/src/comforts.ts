import { once } from "node:events";
import { createServer } from "node:http";
import { AuthResponse, Channel, Server } from "@parley/contracts";
import { readPeakMebibytes, residentBytes } from "./gateway-process.js";
import { median, percentile, report } from "./measure.js";
import { createPoster, type Post } from "./poster.js";
import { type BenchStack, startBenchStack, withPool } from "./stack.js";

const messagesPerSecond = 500;
const rounds = 3;
const authors = 20;

/** What the benchmark is told: `--messages=1000000` to be exported, `--seconds=10` of each measurement. */
function readOptions(options: readonly string[]) {
  const numberOf = (name: string, fallback: number) =>
    Number(options.find((option) => option.startsWith(`--${name}=`))?.split("=")[1] ?? fallback);
  return { messages: numberOf("messages", 100_000), seconds: numberOf("seconds", 10) };
}

/**
 * Link previews and the export of a large server beside 500 messages a second on one api process: p99 of the messages
 * alone and beside each, alternating in one run; and the memory that the export took.
 */
export async function benchComforts(options: readonly string[]): Promise<void> {
  const { messages, seconds } = readOptions(options);
  // 127.0.0.2 stands for the public internet.
  const stack = await startBenchStack({ LINK_PREVIEW_ALLOWED_NETWORKS: "127.0.0.2/32" });
  const web = await startWeb();
  try {
    const api = await stack.start("api");
    const post = createPoster(api.url);
    const world = await createWorld(stack, post, messages);
    const send = () => sendSteadily(post, world, seconds);
    await send();
    const kinds: [name: string, beside: (stop: AbortSignal) => Promise<number>][] = [
      ["alone", async () => 0],
      ["previews", (stop) => previewPages({ apiUrl: api.url, auth: world.owner, web: web.url }, stop)],
      [
        "export",
        (stop) => exportAgain({ url: `${api.url}/servers/${world.serverId}/export`, auth: world.owner }, stop),
      ],
    ];
    const p99 = new Map<string, number[]>();
    for (let round = 0; round < rounds; round += 1) {
      for (const [name, beside] of kinds) {
        const stop = new AbortController();
        const done = beside(stop.signal);
        const latencies = await send();
        stop.abort();
        const count = await done;
        p99.set(name, [...(p99.get(name) ?? []), percentile(latencies, 0.99)]);
        report(
          `round ${round + 1}  ${name.padEnd(8)}  p50 ${percentile(latencies, 0.5).toFixed(1)} ms  p99 ${percentile(latencies, 0.99).toFixed(1)} ms  ${latencies.length} messages, ${count} ${name === "export" ? "bytes" : "previews"} beside`,
        );
      }
    }
    for (const [name, values] of p99) {
      report(
        `p99 ${name.padEnd(8)}  median ${median(values).toFixed(1)} ms, ${Math.min(...values).toFixed(1)} to ${Math.max(...values).toFixed(1)} ms`,
      );
    }
    await reportMemory(api.pid(), { url: `${api.url}/servers/${world.serverId}/export`, auth: world.owner });
  } finally {
    web.close();
    await stack.stop();
  }
}

interface World {
  serverId: string;
  owner: Record<string, string>;
  senders: { path: string; auth: Record<string, string> }[];
}

/** A server whose messages are exported, and another one where somebody writes. */
async function createWorld(stack: BenchStack, post: Post, messages: number): Promise<World> {
  const register = async (username: string) => {
    const account = AuthResponse.parse(await post("/auth/register", { username, password: "benchmark" }));
    return { authorization: `Bearer ${account.access_token}` };
  };
  const owner = await register("owner");
  const create = async (name: string) => {
    const server = Server.parse(await post("/servers", { name, is_public: true }, owner));
    return Channel.parse(await post(`/servers/${server.id}/channels`, { name }, owner));
  };
  const [archive, lively] = [await create("archive"), await create("lively")];
  await withPool(stack, async (pool) => {
    await pool.query("ALTER TABLE messages DISABLE TRIGGER USER");
    await pool.query(
      `INSERT INTO messages (channel_id, server_id, content)
        SELECT $1, $2, 'message ' || n || ' ' || md5(n::text) || repeat(' and so on', 5)
        FROM generate_series(1, $3::integer) AS n`,
      [archive.id, archive.server_id, messages],
    );
    await pool.query("ALTER TABLE messages ENABLE TRIGGER USER");
    await pool.query("VACUUM ANALYZE messages");
  });
  const senders = [];
  for (let n = 0; n < authors; n += 1) {
    const auth = await register(`author_${n}`);
    await post(`/servers/${lively.server_id}/join`, {}, auth);
    senders.push({ path: `/channels/${lively.id}/messages`, auth });
  }
  return { serverId: archive.server_id, owner, senders };
}

/** Sends at a steady rate, whether or not earlier messages are answered. @returns latencies in ms, ascending */
async function sendSteadily(post: Post, { senders }: World, seconds: number): Promise<number[]> {
  const latencies: number[] = [];
  const startedAt = performance.now();
  const total = messagesPerSecond * seconds;
  const sent: Promise<void>[] = [];
  const sendOne = async (n: number) => {
    const { path, auth } = senders[n % senders.length] ?? { path: "", auth: {} };
    // From when it was due, so that a sender that is late counts as well.
    const dueAt = startedAt + (n * 1000) / messagesPerSecond;
    await post(path, { content: `message ${n} of this run` }, auth);
    latencies.push(performance.now() - dueAt);
  };
  while (sent.length < total) {
    const due = Math.min(total, Math.floor(((performance.now() - startedAt) / 1000) * messagesPerSecond) + 1);
    while (sent.length < due) sent.push(sendOne(sent.length));
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await Promise.all(sent);
  return latencies.sort((a, b) => a - b);
}

/** A web server with pages of 200 KB that take 100 ms. */
async function startWeb(): Promise<{ url: string; close: () => void }> {
  const page = `<title>A page</title><meta name="description" content="text">${"<meta name=x content=y>".repeat(8_000)}`;
  const web = createServer((_request, response) => {
    setTimeout(() => response.writeHead(200, { "Content-Type": "text/html" }).end(page), 100);
  });
  web.listen(0, "127.0.0.2");
  await once(web, "listening");
  const address = web.address();
  return {
    url: `http://127.0.0.2:${typeof address === "object" ? address?.port : 0}`,
    close: () => {
      web.closeAllConnections();
      web.close();
    },
  };
}

/** Asks for previews of pages that nobody has asked for before, four at a time. @returns how many there were */
async function previewPages(
  { apiUrl, auth, web }: { apiUrl: string; auth: Record<string, string>; web: string },
  stop: AbortSignal,
): Promise<number> {
  let count = 0;
  const lane = async () => {
    while (!stop.aborted) {
      const url = encodeURIComponent(`${web}/${Math.random()}`);
      const answer = await fetch(`${apiUrl}/link-preview?url=${url}`, { headers: auth });
      if (!answer.ok) throw new Error(`A preview was answered with ${answer.status}`);
      await answer.arrayBuffer();
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: 4 }, lane));
  return count;
}

interface ExportAddress {
  url: string;
  auth: Record<string, string>;
}

/** Exports the server again and again. @returns bytes read */
async function exportAgain({ url, auth }: ExportAddress, stop: AbortSignal): Promise<number> {
  let bytes = 0;
  while (!stop.aborted) {
    const answer = await fetch(url, { headers: auth });
    // The place of an export that was cut short is free a moment later.
    if (answer.status === 429) await new Promise((resolve) => setTimeout(resolve, 50));
    else if (!answer.ok || answer.body === null) throw new Error(`The export was answered with ${answer.status}`);
    else {
      for await (const chunk of answer.body) {
        bytes += chunk.length;
        if (stop.aborted) break;
      }
    }
  }
  return bytes;
}

async function reportMemory(pid: number, { url, auth }: ExportAddress): Promise<void> {
  const peak = await readPeakMebibytes(pid);
  const before = (await residentBytes(pid)) / 1024 ** 2;
  const startedAt = performance.now();
  let answer = await fetch(url, { headers: auth });
  while (answer.status === 429) answer = await fetch(url, { headers: auth });
  const size = (await answer.arrayBuffer()).byteLength / 1024 ** 2;
  const seconds = (performance.now() - startedAt) / 1000;
  report(
    `export alone  ${size.toFixed(0)} MiB in ${seconds.toFixed(0)} s, ${((await peak()) - before).toFixed(0)} MiB more memory at most`,
  );
}
