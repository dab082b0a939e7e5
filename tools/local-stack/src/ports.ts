import { createServer } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { portPollMs } from "./limits.js";
import { Refusal, systemErrorCode } from "./refusal.js";

/**
 * Below the range that Linux, macOS and BSD hand out to outgoing connections: a server that is stopped and started
 * again finds its port free, whatever connected to whatever in between.
 */
const testPorts = { first: 15_000, last: 31_999 };
/**
 * Test files run in several processes at a time, which Vitest numbers: each takes ports of a share of its own, in turn.
 * A port that is free now could otherwise be found free twice before somebody listens on it.
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
export async function findFreePort(host = "127.0.0.1"): Promise<number> {
  for (;;) {
    const port = shareStart + (taken % shareSize);
    taken += 1;
    if (await isPortFree(port, host)) return port;
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
 * Throws a {@link Refusal} that names the first port on which no listener can be opened, what wants it and the setting
 * that moves it. `patienceMs`: how long a port may still be busy, when whoever holds it is known to be ending.
 */
export async function requireFreePorts(wanted: readonly WantedPort[], patienceMs = 0): Promise<void> {
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
