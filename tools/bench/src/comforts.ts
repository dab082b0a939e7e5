import { cpus } from "node:os";
import { type ComfortClient, type ComfortLoad, forkComfortClient } from "./comforts-load.js";
import { type ComfortWorld, createComfortWorld } from "./comforts-world.js";
import { median, percentile, report } from "./measure.js";
import { createPoster, type Post } from "./poster.js";
import { cpuSeconds, readPeakMebibytes, residentBytes } from "./processes.js";
import { startBenchStack } from "./stack.js";

/** The rate that counts, and one that leaves a machine of two cores idle for most of the time. */
const ratesPerSecond = [500, 200];
const warmUpSeconds = 3;

/** What the benchmark is told: `--messages=1000000` to be exported, `--seconds=10` of each measurement, `--rounds=5`. */
function readOptions(options: readonly string[]) {
  const numberOf = (name: string, fallback: number) =>
    Number(options.find((option) => option.startsWith(`--${name}=`))?.split("=")[1] ?? fallback);
  return { messages: numberOf("messages", 100_000), seconds: numberOf("seconds", 10), rounds: numberOf("rounds", 5) };
}

/** What is measured, and on what. */
interface Setting {
  pid: number;
  post: Post;
  world: ComfortWorld;
  client: ComfortClient;
  kinds: readonly { name: string; load: ComfortLoad | null }[];
}

/**
 * Link previews and the export of a large server beside messages at a steady rate on one api process: p99 of the messages
 * alone and beside each, alternating in one run; and the memory that the export took.
 */
export async function benchComforts(options: readonly string[]): Promise<void> {
  const { messages, seconds, rounds } = readOptions(options);
  const stack = await startBenchStack({ LINK_PREVIEW_ALLOWED_NETWORKS: "127.0.0.2/32" });
  const client = forkComfortClient();
  try {
    const api = await stack.start("api");
    const post = createPoster(api.url);
    const world = await createComfortWorld(stack, post, messages);
    const archive = { url: `${api.url}/servers/${world.serverId}/export`, headers: world.owner };
    const setting: Setting = {
      pid: api.pid(),
      post,
      world,
      client,
      kinds: [
        { name: "alone", load: null },
        { name: "previews", load: { kind: "previews", url: `${api.url}/link-preview`, headers: world.owner } },
        { name: "export", load: { kind: "export", ...archive } },
      ],
    };
    for (const { load } of setting.kinds) await measure(setting, load, { perSecond: 500, seconds: warmUpSeconds });
    for (const perSecond of ratesPerSecond) await compare(setting, { perSecond, seconds, rounds });
    await reportMemory(api.pid(), archive);
  } finally {
    await client.end();
    await stack.stop();
  }
}

interface Pace {
  perSecond: number;
  seconds: number;
}

/** Measures each kind in turns and reports whether p99 stays within the spread that it has alone. */
async function compare(setting: Setting, { rounds, ...pace }: Pace & { rounds: number }): Promise<void> {
  const p99 = new Map<string, number[]>(setting.kinds.map(({ name }) => [name, []]));
  for (let round = 1; round <= rounds; round += 1) {
    for (const { name, load } of setting.kinds) {
      const { latencies, line } = await measure(setting, load, pace);
      p99.get(name)?.push(percentile(latencies, 0.99));
      report(`${pace.perSecond}/s  round ${round}  ${name.padEnd(8)}  ${line}`);
    }
  }
  const alone = p99.get("alone") ?? [];
  for (const [name, values] of p99) {
    const [middle, spread] = [median(values), `${Math.min(...values).toFixed(1)} to ${Math.max(...values).toFixed(1)}`];
    const within = middle <= Math.max(...alone) ? "within" : "beyond";
    const comparison = `, ${(middle / median(alone)).toFixed(2)} times that alone, ${within} its spread`;
    report(
      `${pace.perSecond}/s  p99 ${name.padEnd(8)}  median ${middle.toFixed(1)} ms, ${spread} ms${name === "alone" ? "" : comparison}`,
    );
  }
}

/** Sends messages while a load runs beside them. @returns latencies in ms, ascending, and what is to be told of them */
async function measure(
  { pid, post, world, client }: Setting,
  load: ComfortLoad | null,
  pace: Pace,
): Promise<{ latencies: number[]; line: string }> {
  if (load !== null) client.start(load);
  const [busy, cpuBefore, startedAt] = [watchProcessors(), await cpuSeconds(pid), performance.now()];
  const latencies = await sendSteadily(post, world, pace);
  const seconds = (performance.now() - startedAt) / 1000;
  const share = (((await cpuSeconds(pid)) - cpuBefore) / seconds) * 100;
  const processors = `processors ${busy().toFixed(0)} % busy, api ${share.toFixed(0)} % of one`;
  const done = load === null ? 0 : await client.stop();
  const amounts = {
    previews: `${(done / seconds).toFixed(1)} previews/s`,
    export: `${(done / seconds / 1024).toFixed(0)} KiB/s of export`,
  };
  const beside = load === null ? "" : `, ${amounts[load.kind]} beside`;
  const [p50, p99] = [percentile(latencies, 0.5).toFixed(1), percentile(latencies, 0.99).toFixed(1)];
  return { latencies, line: `p50 ${p50} ms  p99 ${p99} ms  ${processors}${beside}` };
}

/** @returns reads how much of the processors' time has been used since then, in percent */
function watchProcessors(): () => number {
  const read = () => {
    const times = cpus().map((cpu) => cpu.times);
    const idle = times.reduce((sum, each) => sum + each.idle, 0);
    return { idle, all: times.reduce((sum, { user, nice, sys, irq }) => sum + user + nice + sys + irq, idle) };
  };
  const before = read();
  return () => {
    const after = read();
    return 100 - ((after.idle - before.idle) / (after.all - before.all)) * 100;
  };
}

/** Sends at a steady rate, whether or not earlier messages are answered. @returns latencies in ms, ascending */
async function sendSteadily(post: Post, { senders }: ComfortWorld, { perSecond, seconds }: Pace): Promise<number[]> {
  const latencies: number[] = [];
  const startedAt = performance.now();
  const total = perSecond * seconds;
  const sent: Promise<void>[] = [];
  const sendOne = async (n: number) => {
    const { path, auth } = senders[n % senders.length] ?? { path: "", auth: {} };
    // From when it was due, so that a sender that is late counts as well.
    const dueAt = startedAt + (n * 1000) / perSecond;
    await post(path, { content: `message ${n} of this run` }, auth);
    latencies.push(performance.now() - dueAt);
  };
  while (sent.length < total) {
    const due = Math.min(total, Math.floor(((performance.now() - startedAt) / 1000) * perSecond) + 1);
    while (sent.length < due) sent.push(sendOne(sent.length));
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await Promise.all(sent);
  return latencies.sort((a, b) => a - b);
}

async function reportMemory(
  pid: number,
  { url, headers }: { url: string; headers: Record<string, string> },
): Promise<void> {
  const peak = await readPeakMebibytes(pid);
  const before = (await residentBytes(pid)) / 1024 ** 2;
  const startedAt = performance.now();
  let answer = await fetch(url, { headers });
  while (answer.status === 429) answer = await fetch(url, { headers });
  const size = (await answer.arrayBuffer()).byteLength / 1024 ** 2;
  const seconds = (performance.now() - startedAt) / 1000;
  report(
    `export alone  ${size.toFixed(0)} MiB in ${seconds.toFixed(0)} s, ${((await peak()) - before).toFixed(0)} MiB more memory at most`,
  );
}
