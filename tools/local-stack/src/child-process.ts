import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { reportedLinesMax, stopTimeoutMs } from "./limits.js";
import { unwatchOrphan, watchOrphan } from "./orphan-guard.js";
import { Refusal, reasonOf } from "./refusal.js";

/** How a process ended. */
export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A process that we started and therefore stop. */
export interface OwnedProcess {
  readonly pid: number;
  /** Resolves when the process has ended and its output is read; never rejects. */
  readonly exited: Promise<ProcessExit>;
  readonly running: () => boolean;
  /** The last lines it wrote, oldest first. */
  readonly lastLines: () => readonly string[];
  readonly signal: (name: NodeJS.Signals) => void;
  /** Asks it to stop with `signal` (default SIGTERM), kills it after `timeoutMs`, resolves when it has ended. */
  readonly stop: (options?: { signal?: NodeJS.Signals; timeoutMs?: number }) => Promise<ProcessExit>;
}

/** The input of {@link startProcess}. */
export interface ProcessStart {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly user?: { readonly uid: number; readonly gid: number } | undefined;
  readonly onLine?: ((line: string) => void) | undefined;
}

/** Starts a process in a session of its own. Throws a {@link Refusal} when it cannot be executed. */
export async function startProcess(start: ProcessStart): Promise<OwnedProcess> {
  const child = spawn(start.command, [...start.args], {
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: start.env,
    ...(start.cwd === undefined ? {} : { cwd: start.cwd }),
    ...(start.user === undefined ? {} : start.user),
  });

  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }).on("line", (line) => {
      lines.push(line);
      if (lines.length > reportedLinesMax) lines.shift();
      start.onLine?.(line);
    });
  }

  let ended = false;
  const exited = new Promise<ProcessExit>((resolve) => {
    child.once("exit", () => {
      ended = true;
      if (child.pid !== undefined) unwatchOrphan(child.pid);
    });
    child.once("close", (code, signal) => resolve({ code, signal }));
  });
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", (error) => {
      ended = true;
      reject(new Refusal(`${start.name} could not be started from ${start.command}: ${reasonOf(error)}.`));
    });
  });
  const pid = child.pid;
  if (pid === undefined) throw new Refusal(`${start.name} could not be started from ${start.command}.`);
  watchOrphan(pid);

  return {
    pid,
    exited,
    running: () => !ended,
    lastLines: () => lines,
    signal: (name) => void child.kill(name),
    stop: async ({ signal = "SIGTERM", timeoutMs = stopTimeoutMs } = {}) => {
      if (!ended) child.kill(signal);
      const deadline = setTimeout(() => child.kill("SIGKILL"), timeoutMs);
      const exit = await exited;
      clearTimeout(deadline);
      return exit;
    },
  };
}

/** How a process ended, in words: `exit code 1` or `signal SIGKILL`. */
export function describeExit(exit: ProcessExit): string {
  return exit.signal === null ? `exit code ${exit.code ?? "unknown"}` : `signal ${exit.signal}`;
}
