import { readdir, readFile, writeFile } from "node:fs/promises";

/** Clock ticks per second in /proc: the same on every Linux that Node.js runs on. */
const ticksPerSecond = 100;

/** Processor seconds that a process has used, in user mode and in the kernel; NaN without /proc. */
export async function cpuSeconds(pid: number): Promise<number> {
  const fields = await statOf(pid);
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** The same with its children, those that have ended included. */
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

/** What /proc tells of a process, from its state on. */
async function statOf(pid: number): Promise<string[]> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // The name in brackets may contain blanks; what follows it may not.
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
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
