import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { link, readFile, rm, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { z } from "zod";
import { Refusal, systemErrorCode } from "./refusal.js";

/** Holds a data folder for one process. */
export interface Lock {
  /** A former holder died without releasing it; programs that it started may still be about to end. */
  readonly takenOver: boolean;
  readonly release: () => Promise<void>;
}

const Holder = z.object({
  pid: z.int().positive(),
  /** Start time of the process, as the operating system reports it: the pid may have been reused by another program. */
  began: z.string(),
  address: z.string(),
});
type Holder = z.infer<typeof Holder>;

/**
 * Takes the lock file, also from a holder that is no more. Throws a Refusal with the holder's pid and address when a
 * living process holds it.
 */
export async function takeLock(file: string, address: string): Promise<Lock> {
  const mine: Holder = { pid: process.pid, began: await beginOf(process.pid), address };
  // Written beside and linked: the lock file is never seen half written, and linking fails when it exists.
  const draft = `${file}.${randomBytes(4).toString("hex")}`;
  await writeFile(draft, JSON.stringify(mine));
  let takenOver = false;
  try {
    while (!(await linkNew(draft, file))) {
      const holder = await readHolder(file);
      if (holder !== null && (await lives(holder))) {
        throw new Refusal(
          `Parley is already running (pid ${holder.pid}) at ${holder.address}; stop it there with Ctrl-C, or start a second one with other ports and another PARLEY_DATA_DIR.`,
        );
      }
      await rm(file, { force: true });
      takenOver = true;
    }
  } finally {
    await rm(draft, { force: true });
  }
  return { takenOver, release: () => rm(file, { force: true }) };
}

async function linkNew(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (systemErrorCode(error) === "EEXIST") return false;
    throw error;
  }
}

async function readHolder(file: string): Promise<Holder | null> {
  try {
    return Holder.parse(JSON.parse(await readFile(file, "utf8")));
  } catch {
    return null;
  }
}

async function lives(holder: Holder): Promise<boolean> {
  const began = await beginOf(holder.pid);
  return began !== "" && began === holder.began;
}

/** When the process began, as the system reports it; "" when there is no such process. */
async function beginOf(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null);
  // The name of the program, in parentheses, may contain spaces; the 22nd field counts from there. The boot id
  // distinguishes boots with the same tick count.
  if (stat !== null) {
    const ticks = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
    const boot = await readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => "");
    return `${boot.trim()} ${ticks}`;
  }
  return promisify(execFile)("ps", ["-p", String(pid), "-o", "lstart="]).then(
    ({ stdout }) => stdout.trim(),
    () => "",
  );
}
