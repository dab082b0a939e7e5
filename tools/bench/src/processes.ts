import { readdir, readFile } from "node:fs/promises";
import type { ServerProcess } from "@parley/local-stack";
import { waitUntil } from "@parley/testing";
import { WebSocket } from "ws";
import { sum } from "./measure.js";

/** Clock ticks per second in /proc: the same on every Linux that Node.js runs on. */
const ticksPerSecond = 100;
const inspectorLine = /^Debugger listening on (ws:\S+)$/;

/** Processor seconds that a process has used, in user mode and in the kernel; NaN without /proc. */
export async function cpuSeconds(pid: number): Promise<number> {
  const fields = await statOf(pid);
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** The same of several together. */
export async function cpuSecondsOf(processes: readonly { pid: () => number }[]): Promise<number> {
  return sum(await Promise.all(processes.map(({ pid }) => cpuSeconds(pid()))));
}

/** The same of one with its children, those that have ended included. */
export async function familyCpuSeconds(pid: number): Promise<number> {
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name)).map(Number);
  let ticks = 0;
  for (const other of pids) {
    const fields = await statOf(other);
    if (other !== pid && Number(fields[1]) !== pid) continue;
    for (const field of fields.slice(11, other === pid ? 15 : 13)) ticks += Number(field);
  }
  return ticks / ticksPerSecond;
}

/** The fields of a process in /proc, from its state on. */
async function statOf(pid: number): Promise<string[]> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // The name in brackets may contain blanks; the fields behind it may not.
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

/** Resident memory of a process, and of the pages that it shares its part only (PSS), in bytes; NaN without /proc. */
export async function memoryOf(pid: number): Promise<{ resident: number; proportional: number }> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, "utf8").catch(() => "");
  const read = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(rollup)?.[1]) * 1024;
  return { resident: read("Rss"), proportional: read("Pss") };
}

/** Reads metrics. @returns gives the value of one by its name, NaN for none */
export async function readMetrics(url: string, signal?: AbortSignal): Promise<(metric: string) => number> {
  const text = await (await fetch(url, { signal: signal ?? null })).text();
  return (metric) => Number(new RegExp(`^${metric}(?:\\{[^}]*\\})? (\\S+)`, "m").exec(text)?.[1]);
}

/** The same of a service of the benchmark's own. */
export function metricsOf({ url }: { url: string }) {
  return readMetrics(`${url}/metrics`);
}

/** Bytes in use in V8's heap and outside of it, from a service's metrics. */
export async function usedBytes(service: { url: string }): Promise<number> {
  const read = await metricsOf(service);
  return read("nodejs_heap_size_used_bytes") + read("nodejs_external_memory_bytes");
}

/** Lets a service collect its garbage, through the inspector that every Node.js process opens at SIGUSR1. */
export async function collectGarbage(service: Pick<ServerProcess, "pid" | "lastLines">): Promise<void> {
  const inspectorUrl = () => service.lastLines().flatMap((line) => inspectorLine.exec(line)?.[1] ?? [])[0];
  if (inspectorUrl() === undefined) process.kill(service.pid(), "SIGUSR1");
  const url = await waitUntil(inspectorUrl, { what: "the inspector" });
  const inspector = new WebSocket(url);
  await new Promise<void>((resolve, reject) => {
    inspector.once("error", reject);
    inspector.once("open", () => inspector.send(JSON.stringify({ id: 1, method: "HeapProfiler.collectGarbage" })));
    inspector.once("message", () => resolve());
  });
  inspector.terminate();
}
