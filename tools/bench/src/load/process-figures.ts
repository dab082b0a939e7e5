import { report } from "../measure.js";
import { readMetrics } from "../processes.js";

/** The memory and processor time of a process of the installation, by its metrics. */
export interface ProcessFigures {
  url: string;
  memoryBytes: number;
  cpuSeconds: number;
}

/** Reads the metrics of processes; those that do not answer are named and left out. */
export async function readProcessFigures(urls: readonly string[]): Promise<ProcessFigures[]> {
  const read = async (url: string): Promise<ProcessFigures[]> => {
    try {
      const value = await readMetrics(url, AbortSignal.timeout(5_000));
      const [memoryBytes, cpuSeconds] = [value("process_resident_memory_bytes"), value("process_cpu_seconds_total")];
      return [{ url, memoryBytes, cpuSeconds }];
    } catch (error) {
      report(`No metrics from ${url}: ${error instanceof Error ? error.message : String(error)}`);
      return [];
    }
  };
  return (await Promise.all(urls.map(read))).flat();
}
