import { createServer, type Server } from "node:net";
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
 * Each run of tests claims a band of them, and each process of a run claims a share of the band. A process takes the ports of
 * its share in turn. Otherwise two could find the same port free before one of them listens on it. Vitest's number of a process is
 * no claim: it gives the number of one that is ending to another.
 */
const bands = 5;
const shares = 12;
const bandSize = Math.floor((testPorts.last - testPorts.first + 1) / bands);
const shareSize = Math.floor((bandSize - 1) / shares);
/** Names the band of a run; the processes of the run inherit it. */
const bandSetting = "PARLEY_TEST_PORTS";
const claimedPort = (band: number) => testPorts.first + band * bandSize;
/** The first port of the share of this process, by band. */
const claimed = new Map<number, Promise<number>>();
let taken = Math.floor(Math.random() * shareSize);

/**
 * Claims a band of ports for this process and those that it starts. A listener on the first port is the claim, so it
 * ends with the process. Throws a {@link Refusal} when as many runs as there are bands have claimed theirs.
 *
 * @returns ends the claim
 */
export async function claimTestPorts(): Promise<() => void> {
  for (let band = 0; band < bands; band += 1) {
    const listener = await listenOn(claimedPort(band)).catch(() => null);
    if (listener === null) continue;
    listener.unref();
    process.env[bandSetting] = String(band);
    return () => listener.close();
  }
  throw new Refusal(`${bands} runs of tests have claimed all test ports: wait until one of them ends.`);
}

/**
 * Claims a share of a band for this process, by a listener on the port before the first of the share.
 *
 * @returns the first port of the share
 */
async function claimShare(band: number): Promise<number> {
  const start = claimedPort(band) + 1;
  for (let at = start; at < start + shares * shareSize; at += shareSize) {
    const listener = await listenOn(at).catch(() => null);
    if (listener === null) continue;
    listener.unref();
    return at + 1;
  }
  throw new Refusal(`${shares} processes of one run of tests look for free ports: wait until one of them ends.`);
}

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
  const band = Number(process.env[bandSetting] ?? 0);
  const share = claimed.get(band) ?? claimShare(band);
  claimed.set(band, share);
  const start = await share;
  for (;;) {
    if (taken + count >= shareSize) taken = 0;
    const first = start + taken;
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
 * Throws a {@link Refusal} for the first port that is wanted twice, or on which no listener can be opened. It names the
 * port's purpose and the setting that changes it.
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

async function probePort(port: number, host: string): Promise<string | null> {
  try {
    const server = await listenOn(port, host);
    await new Promise((resolve) => server.close(resolve));
    return null;
  } catch (error) {
    return systemErrorCode(error) ?? String(error);
  }
}

function listenOn(port: number, host = "127.0.0.1"): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen({ port, host, exclusive: true }, () => resolve(server));
  });
}
