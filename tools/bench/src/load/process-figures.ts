import { report } from "../measure.js";

/** What a process of the installation has used, as its metrics say. */
export interface ProcessFigures {
  url: string;
  memoryBytes: number;
  cpuSeconds: number;
}

/** Reads the metrics of processes; those that do not answer are named and left out. */
export async function readProcessFigures(urls: readonly string[]): Promise<ProcessFigures[]> {
  const read = async (url: string): Promise<ProcessFigures[]> => {
    try {
      const text = await (await fetch(url, { signal: AbortSignal.timeout(5_000) })).text();
      const value = (name: string) => Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)`, "m").exec(text)?.[1]);
      const [memoryBytes, cpuSeconds] = [value("process_resident_memory_bytes"), value("process_cpu_seconds_total")];
      return [{ url, memoryBytes, cpuSeconds }];
    } catch (error) {
      report(`No metrics from ${url}: ${error instanceof Error ? error.message : String(error)}`);
      return [];
    }
  };
  return (await Promise.all(urls.map(read))).flat();
}
