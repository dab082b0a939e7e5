import { createServer } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { portPollMs } from "./limits.js";
import { Refusal, systemErrorCode } from "./refusal.js";

const lastPort = 65_535;

/**
 * Below the range that Linux, macOS and BSD hand out to outgoing connections: a server that is stopped and started
 * again finds its port free, whatever connected to whatever in between.
 */
const testPorts = { first: 15_000, last: 31_999 };
/**
 * Test files run in several processes at a time, which Vitest numbers: each takes ports of its own share, in turn.
 * Otherwise two processes could find the same port free before one of them listens on it.
 */
const shares = 8;
const shareSize = Math.floor((testPorts.last - testPorts.first + 1) / shares);
const shareStart = testPorts.first + (Number(process.env.VITEST_POOL_ID ?? 0) % shares) * shareSize;
let taken = Math.floor(Math.random() * shareSize);

/** Whether a listener can be opened on the port right now. */
export function isPortFree(port: number, host = "127.0.0.1"): Promise<boolean> {
  return probePort(port, host).then((code) => code === null);
}

/** A port on which nothing listens and which the system does not give to outgoing connections. */
export function findFreePort(): Promise<number> {
  return findFreePorts(1);
}

/** The first of `count` such ports in a row, all of them the caller's. */
export async function findFreePorts(count: number): Promise<number> {
  for (;;) {
    if (taken + count > shareSize) taken = 0;
    const first = shareStart + taken;
    taken += count;
    const free = await Promise.all(Array.from({ length: count }, (_, at) => isPortFree(first + at)));
    if (free.every(Boolean)) return first;
  }
}

/** A port that a start needs. */
export interface WantedPort {
  readonly port: number;
  readonly host: string;
  readonly for: string;
  /** The setting that moves it. */
  readonly setting: string;
}

/**
 * Throws a {@link Refusal} for the first port that is wanted twice, or on which no listener can be opened. It names
 * what the port is for and the setting that changes it.
 *
 * @param patienceMs how long to wait for a port in use, when the process that uses it is ending
 */
export async function requireFreePorts(wanted: readonly WantedPort[], patienceMs = 0): Promise<void> {
  requireDistinctPorts(wanted);
  const deadline = performance.now() + patienceMs;
  for (const one of wanted) {
    let code = await probePort(one.port, one.host);
    while (code === "EADDRINUSE" && performance.now() < deadline) {
      await pause(portPollMs);
      code = await probePort(one.port, one.host);
    }
    if (code !== null) throw portRefusal(one, code);
  }
}

/** Two services on one port would each be taken for the other: the first to listen answers both readiness checks. */
function requireDistinctPorts(wanted: readonly WantedPort[]): void {
  const holders = new Map<number, WantedPort>();
  for (const one of wanted) {
    const holder = holders.get(one.port);
    if (holder !== undefined) {
      throw new Refusal(
        `Port ${one.port} is wanted twice, by ${holder.for} (${holder.setting}) and ${one.for} (${one.setting}): choose another port for one of them.`,
      );
    }
    if (one.port > lastPort) {
      throw new Refusal(
        `${one.for} would need port ${one.port}, and ${lastPort} is the last: choose a lower ${one.setting}.`,
      );
    }
    holders.set(one.port, one);
  }
}

/** The sentence about a port that cannot be listened on; `code` is the system's. */
export function portRefusal(wanted: WantedPort, code: string): Refusal {
  if (code === "EADDRINUSE") {
    return new Refusal(
      `Port ${wanted.port}, which ${wanted.for} needs, is already in use: stop the program that uses it, or choose another port with ${wanted.setting}.`,
    );
  }
  return new Refusal(
    `${wanted.for} cannot listen on ${wanted.host}:${wanted.port} (${code}): choose another address with HOST, or another port with ${wanted.setting}.`,
  );
}

function probePort(port: number, host: string): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error) => resolve(systemErrorCode(error) ?? error.message));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(null)));
  });
}
