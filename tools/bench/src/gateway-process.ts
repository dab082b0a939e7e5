import { readFile, writeFile } from "node:fs/promises";

/** Clock ticks per second in /proc: the same on every Linux that Node.js runs on. */
const ticksPerSecond = 100;

/** Processor seconds that a process has used, in user mode and in the kernel; NaN without /proc. */
export async function cpuSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // The name in brackets may contain blanks; what follows it may not.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** Resident memory of a process; NaN without /proc. */
export async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}

/** Forgets the peak of a process's memory. @returns reads the peak since then, in MiB; NaN without /proc */
export async function readPeakMebibytes(pid: number): Promise<() => Promise<number>> {
  await writeFile(`/proc/${pid}/clear_refs`, "5").catch(() => undefined);
  return async () => {
    const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
  };
}
