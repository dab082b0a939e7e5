import { existsSync, readdirSync, readFileSync } from "node:fs";

/** A process: its parent, and the seconds of itself and of the children that it has waited for. */
interface Used {
  readonly parent: number;
  readonly seconds: number;
}

/** In which Linux counts them, whatever the kernel. */
const ticksPerSecond = 100;

/**
 * Begins to measure the processor time of this process and of all that it has started.
 *
 * @returns gives the seconds since then; null where there is no /proc
 */
export function measureProcessorTime(): () => number | null {
  if (!existsSync("/proc/self/stat")) return () => null;
  const before = readTree();
  return () => {
    const after = readTree();
    const sum = (tree: ReadonlyMap<number, Used>) =>
      [...tree.values()].reduce((total, used) => total + used.seconds, 0);
    // Nobody has waited for a process that outlived its parent: with it its seconds are gone.
    const lost = [...before].filter(([pid, { parent }]) => !after.has(pid) && !after.has(parent));
    return sum(after) - sum(before) + sum(new Map(lost));
  };
}

/** This process and its descendants by their pids. */
function readTree(): Map<number, Used> {
  const all = new Map<number, Used>();
  for (const name of readdirSync("/proc")) {
    const used = /^\d+$/.test(name) ? readProcess(name) : null;
    if (used !== null) all.set(Number(name), used);
  }
  const belongs = (pid: number): boolean => {
    const parent = all.get(pid)?.parent;
    return pid === process.pid || (parent !== undefined && belongs(parent));
  };
  return new Map([...all].filter(([pid]) => belongs(pid)));
}

function readProcess(pid: string): Used | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name of the program, in brackets, may have any characters.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { parent: Number(fields[1]), seconds: ticks / ticksPerSecond };
  } catch {
    // It has ended meanwhile.
    return null;
  }
}
