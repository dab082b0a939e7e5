import { setTimeout as pause } from "node:timers/promises";
import { describeExit, type OwnedProcess, type ProcessExit, type ProcessStart, startProcess } from "./child-process.js";
import { readinessPollMs, readinessRequestTimeoutMs, serverReadyTimeoutMs, serviceReadyTimeoutMs } from "./limits.js";
import { Refusal, reasonOf } from "./refusal.js";

/** A process of ours that listens on a port: PostgreSQL, Redis, NATS or one of the services. */
export interface ServerProcess {
  readonly name: string;
  /** The address for clients; stays the same over restarts. */
  readonly url: string;
  readonly port: number;
  readonly pid: () => number;
  readonly running: () => boolean;
  /** Resolves at the end of the process that runs now; never rejects. */
  readonly exited: () => Promise<ProcessExit>;
  /** The last lines it wrote, oldest first. */
  readonly lastLines: () => readonly string[];
  /** Stops it in order: everything acknowledged is kept, nothing runs afterwards. */
  readonly stop: () => Promise<void>;
  /** Ends it at once (default SIGKILL), as a crash would. */
  readonly kill: (signal?: NodeJS.Signals) => Promise<void>;
  /** Stops it if it runs and starts it on the same port and data; resolves when it is ready. */
  readonly restart: () => Promise<void>;
  /** Suspends it (SIGSTOP): connections stay open, nothing answers. */
  readonly pause: () => void;
  /** Continues it after {@link ServerProcess.pause}. */
  readonly resume: () => void;
}

/**
 * The server that {@link startServerProcess} starts, and its sign of readiness: a line of its output, or a URL that
 * answers 200.
 */
export interface ServerStart {
  readonly name: string;
  readonly url: string;
  readonly port: number;
  readonly ready: { readonly line: RegExp } | { readonly url: string };
  readonly stopSignal: NodeJS.Signals;
  readonly start: Omit<ProcessStart, "name">;
  /** Ends a start that is not finished; the process is stopped then. */
  readonly abort?: AbortSignal | undefined;
}

/** Starts a server and resolves when it is ready. Throws a {@link Refusal} when it ends before or takes too long. */
export async function startServerProcess(server: ServerStart): Promise<ServerProcess> {
  let current = await spawnServer(server);
  const stop = async () => {
    // A suspended process would not handle the signal.
    if (current.child.running()) current.child.signal("SIGCONT");
    await current.child.stop({ signal: server.stopSignal });
  };
  await becomeReady(server, current);
  return {
    name: server.name,
    url: server.url,
    port: server.port,
    pid: () => current.child.pid,
    running: () => current.child.running(),
    exited: () => current.child.exited,
    lastLines: () => current.child.lastLines(),
    stop,
    kill: async (signal = "SIGKILL") => {
      await current.child.stop({ signal });
    },
    restart: async () => {
      await stop();
      // Known at once, so that `stop` also reaches a process that never gets ready.
      current = await spawnServer(server);
      await becomeReady(server, current);
    },
    pause: () => current.child.signal("SIGSTOP"),
    resume: () => current.child.signal("SIGCONT"),
  };
}

interface SpawnedServer {
  readonly child: OwnedProcess;
  readonly sawReadyLine: Promise<"ready">;
}

async function spawnServer(server: ServerStart): Promise<SpawnedServer> {
  const { ready } = server;
  let onReadyLine: () => void = () => undefined;
  const sawReadyLine = new Promise<"ready">((resolve) => {
    onReadyLine = () => resolve("ready");
  });
  const child = await startProcess({
    ...server.start,
    name: server.name,
    onLine: (line) => {
      if ("line" in ready && ready.line.test(line)) onReadyLine();
      server.start.onLine?.(line);
    },
  });
  return { child, sawReadyLine };
}

async function becomeReady(server: ServerStart, { child, sawReadyLine }: SpawnedServer): Promise<void> {
  const { ready } = server;
  const timeoutMs = "line" in ready ? serverReadyTimeoutMs : serviceReadyTimeoutMs;
  const waiting = new AbortController();
  const stopEarly = () => void child.stop({ signal: server.stopSignal });
  server.abort?.addEventListener("abort", stopEarly);
  if (server.abort?.aborted) stopEarly();
  const outcome = await Promise.race([
    "line" in ready ? sawReadyLine : answersReady(ready.url, waiting.signal),
    pause(timeoutMs, "late" as const, { signal: waiting.signal }).catch(() => "late" as const),
    child.exited,
  ]);
  waiting.abort();
  server.abort?.removeEventListener("abort", stopEarly);
  if (outcome === "ready") return;

  if (outcome === "late") await child.stop({ signal: "SIGKILL" });
  const what = outcome === "late" ? `was not ready after ${timeoutMs / 1000} s` : `ended with ${describeExit(outcome)}`;
  const said = child.lastLines().map((line) => `\n  ${line}`);
  throw new Refusal(
    `${server.name} did not start: it ${what}${said.length === 0 ? "." : `; its last words were:${said.join("")}`}`,
  );
}

async function answersReady(url: string, signal: AbortSignal): Promise<"ready"> {
  for (;;) {
    const response = await fetch(url, {
      // A server that stops waits for requests of its idle connections.
      headers: { connection: "close" },
      signal: AbortSignal.any([signal, AbortSignal.timeout(readinessRequestTimeoutMs)]),
    }).catch((error: unknown) => reasonOf(error));
    if (typeof response !== "string") {
      await response.body?.cancel();
      if (response.status === 200) return "ready";
    }
    // Rejects when aborted, which ends the loop; its result is not used then.
    await pause(readinessPollMs, undefined, { signal });
  }
}
