import { percentile, report, reportHead, reportRow, sum } from "../measure.js";
import type { LoadResult } from "./measure-load.js";
import type { LoadOptions } from "./options.js";
import type { ProcessFigures } from "./process-figures.js";

const megabyte = 1024 * 1024;

/** Prints the measurements of a run, as rows of the runbook's sizes. */
export function reportLoad(result: LoadResult, { users, rate, seconds }: LoadOptions): void {
  const { readyMs, postMs, deliveredMs, frames, bytes } = result;
  reportHead(["What", "Measured"]);
  reportRow(["accounts", `${users} in ${result.servers} servers, ${result.viewers} of whom show the channel`]);
  reportRow([
    "connections",
    `${readyMs.length} READY after ${(result.connectMs / 1_000).toFixed(1)} s, each ${times(readyMs)}${failures(result.connectReasons)}`,
  ]);
  reportRow(["messages", `${result.sent} in ${seconds} s (${rate}/s asked for)${failures(result.refused)}`]);
  reportRow(["POST", times(postMs)]);
  reportRow(["from POST to a socket", times(deliveredMs)]);
  reportRow(["messages at sockets", `${result.expected}; lost ${result.lost}, doubled ${result.repeated}`]);
  if (result.closed > 0) reportRow(["connections that ended meanwhile", result.closed]);
  const average = frames === 0 ? 0 : bytes / frames;
  reportRow([
    "network to the sockets",
    `${frames} frames, ${average.toFixed(0)} bytes each on the wire (TLS apart), ${(bytes / seconds / megabyte).toFixed(2)} MB/s`,
  ]);
  for (const row of processRows(result)) reportRow(row);
  report(`This machine, which ran the clients, was idle for ${(result.idleShare * 100).toFixed(0)} % of the time.`);
  if (result.idleShare < 0.2) report("That is little: the times above may be its own.");
}

/** Memory and processor time of each process whose metrics are read; a gateway has only some of the connections. */
function processRows({ figures, sent }: LoadResult): string[][] {
  return figures.afterwards.map(({ url, memoryBytes, cpuSeconds }) => {
    const of = (list: readonly ProcessFigures[]) => list.find((each) => each.url === url);
    const connected = of(figures.connected);
    const inWords = (bytes: number | undefined) => `${((bytes ?? Number.NaN) / megabyte).toFixed(0)} MB`;
    const memory = `${inWords(of(figures.empty)?.memoryBytes)}, ${inWords(connected?.memoryBytes)} with the connections, ${inWords(memoryBytes)} afterwards`;
    const used = cpuSeconds - (connected?.cpuSeconds ?? Number.NaN);
    return [
      url,
      `${memory}; ${used.toFixed(1)} s of a processor, ${((used / Math.max(sent, 1)) * 1_000).toFixed(2)} ms a message`,
    ];
  });
}

function times(values: ArrayLike<number>): string {
  const last = values[values.length - 1] ?? Number.NaN;
  return `p50 ${percentile(values, 0.5).toFixed(0)} ms, p99 ${percentile(values, 0.99).toFixed(0)} ms, slowest ${last.toFixed(0)} ms`;
}

function failures(reasons: Readonly<Record<string, number>>): string {
  const total = sum(Object.values(reasons));
  if (total === 0) return "; none failed";
  const each = Object.entries(reasons).map(([reason, count]) => `${count} × ${reason}`);
  return `; ${total} failed: ${each.join(", ")}`;
}
