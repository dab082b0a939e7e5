import {
  ascending,
  clockMs,
  median,
  numberOption,
  percentile,
  percentilesInWords,
  report,
  sendSteadily,
  watchProcessors,
} from "../measure.js";
import { createPoster } from "../poster.js";
import { cpuSeconds, residentBytes, watchPeakBytes } from "../processes.js";
import { startProgram } from "../program.js";
import { type BenchStack, withStack } from "../stack.js";
import { createRoom } from "../world.js";
import { answered, type HostileLoad, type HostileRequest } from "./loads.js";
import type { HostileFunctions } from "./process.js";

/** The rate that counts, and one that leaves a machine of two cores idle for most of the time. */
const ratesPerSecond = [500, 200];
const warmUpSeconds = 3;
/** Previews at a time, each of a page that takes 100 ms. */
const previewLanes = 4;
const previewsPerSecondMax = previewLanes * 10;

/** What runs beside the messages for so many seconds. */
const kinds = ["alone", "previews", "export"] as const;
type Kind = (typeof kinds)[number];

interface Pace {
  perSecond: number;
  seconds: number;
}

/**
 * Link previews and the export of a large server beside messages at a steady rate on one api process: p99 of the messages
 * alone and beside each, alternating in one run; and the memory that the export took.
 *
 * @param options `--messages=1000000` to be exported, `--seconds=10` of each measurement, `--rounds=5`
 */
export async function benchComforts(options: readonly string[]): Promise<void> {
  const messages = numberOption(options, "messages", 100_000);
  const seconds = numberOption(options, "seconds", 10);
  const rounds = numberOption(options, "rounds", 5);
  const client = startProgram<HostileFunctions>("neighbours/process");
  const env = { LINK_PREVIEW_ALLOWED_NETWORKS: "127.0.0.2/32" };
  await withStack(env, async (stack) => {
    const api = await stack.start("api");
    const archive = await createArchive(stack, messages);
    const pages = await client.call("servePages");
    const requestTo = (path: string): HostileRequest => ({
      method: "GET",
      url: api.url + path,
      headers: archive.headers,
    });
    const exporting = requestTo(`/servers/${archive.serverId}/export`);
    const loadOf = (kind: Kind): HostileLoad[] => {
      const load = { kind: "requests", perSecond: "as answered" } as const;
      // Of pages that nobody has asked for before.
      const previews = Array.from({ length: seconds * previewsPerSecondMax + 1_000 }, () =>
        requestTo(`/link-preview?url=${encodeURIComponent(`${pages}/${Math.random()}`)}`),
      );
      if (kind === "previews") return [{ ...load, requests: previews, inFlightMax: previewLanes }];
      return kind === "export" ? [{ ...load, requests: [exporting], inFlightMax: 1 }] : [];
    };
    const send = await createSenders(stack, api.url);
    const measure = async (kind: Kind, pace: Pace) => {
      await client.call("start", loadOf(kind));
      const [idle, cpuBefore, startedAt] = [watchProcessors(), await cpuSeconds(api.pid()), clockMs()];
      const latencies = await send(pace);
      const elapsed = (clockMs() - startedAt) / 1_000;
      const share = (((await cpuSeconds(api.pid())) - cpuBefore) / elapsed) * 100;
      const busy = `processors ${(100 - idle() * 100).toFixed(0)} % busy, api ${share.toFixed(0)} % of one`;
      const done = await client.call("stop");
      const amounts = {
        alone: "",
        previews: `, ${(answered(done, 200) / elapsed).toFixed(1)} previews/s beside`,
        export: `, ${(done.bytes / elapsed / 1024).toFixed(0)} KiB/s of export beside`,
      };
      return { latencies, line: `${percentilesInWords(latencies)}  ${busy}${amounts[kind]}` };
    };
    for (const kind of kinds) await measure(kind, { perSecond: 500, seconds: warmUpSeconds });
    for (const perSecond of ratesPerSecond) {
      const p99: Record<Kind, number[]> = { alone: [], previews: [], export: [] };
      for (let round = 1; round <= rounds; round += 1) {
        for (const kind of kinds) {
          const { latencies, line } = await measure(kind, { perSecond, seconds });
          p99[kind].push(percentile(latencies, 0.99));
          report(`${perSecond}/s  round ${round}  ${kind.padEnd(8)}  ${line}`);
        }
      }
      reportComparison(perSecond, p99);
    }
    await reportExport(api.pid(), exporting);
  }).finally(() => client.stop());
}

/** Whether p99 stays within the spread that it has alone. */
function reportComparison(perSecond: number, p99: Record<Kind, number[]>): void {
  for (const kind of kinds) {
    const values = p99[kind];
    const middle = median(values);
    const spread = `${Math.min(...values).toFixed(1)} to ${Math.max(...values).toFixed(1)} ms`;
    const within = middle <= Math.max(...p99.alone) ? "within" : "beyond";
    const comparison = `, ${(middle / median(p99.alone)).toFixed(2)} times that alone, ${within} its spread`;
    report(
      `${perSecond}/s  p99 ${kind.padEnd(8)}  median ${middle.toFixed(1)} ms, ${spread}${kind === "alone" ? "" : comparison}`,
    );
  }
}

/** A server whose messages are exported. */
async function createArchive({ pool, headers }: BenchStack, messages: number) {
  const { serverId, channelId, userIds } = await createRoom(pool, 1);
  await pool.query("ALTER TABLE messages DISABLE TRIGGER USER");
  await pool.query(
    `INSERT INTO messages (channel_id, server_id, content)
      SELECT $1, $2, 'message ' || n || ' ' || md5(n::text) || repeat(' and so on', 5)
      FROM generate_series(1, $3::integer) AS n`,
    [channelId, serverId, messages],
  );
  await pool.query("ALTER TABLE messages ENABLE TRIGGER USER");
  await pool.query("VACUUM ANALYZE messages");
  return { serverId, headers: headers(userIds[0] ?? "") };
}

/** Members of another server who write at a steady rate. @returns latencies in milliseconds, ascending */
async function createSenders(stack: BenchStack, url: string): Promise<(pace: Pace) => Promise<Float64Array>> {
  const post = createPoster(url);
  const { channelId, userIds } = await createRoom(stack.pool, 20);
  const authors = userIds.map((userId) => stack.headers(userId));
  return async ({ perSecond, seconds }) => {
    const latencies: number[] = [];
    await sendSteadily({ perSecond, isDone: (sent) => sent >= perSecond * seconds }, async (n, dueAt) => {
      await post(`/channels/${channelId}/messages`, { content: `message ${n}` }, authors[n % authors.length]);
      // From when it was due, so that a sender that is late counts as well.
      latencies.push(clockMs() - dueAt);
    });
    return ascending(latencies);
  };
}

async function reportExport(pid: number, { url, headers }: HostileRequest): Promise<void> {
  const mebibyte = 1024 ** 2;
  const [peak, before] = [await watchPeakBytes(pid), await residentBytes(pid)];
  const startedAt = performance.now();
  let answer = await fetch(url, { headers });
  while (answer.status === 429) answer = await fetch(url, { headers });
  const size = (await answer.arrayBuffer()).byteLength / mebibyte;
  const seconds = (performance.now() - startedAt) / 1000;
  const grown = ((await peak()) - before) / mebibyte;
  report(
    `export alone  ${size.toFixed(0)} MiB in ${seconds.toFixed(0)} s, ${grown.toFixed(0)} MiB more memory at most`,
  );
}
