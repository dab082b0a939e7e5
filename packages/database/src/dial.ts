import { promises as dns, type LookupAddress } from "node:dns";
import { type LookupFunction, Socket } from "node:net";
import { within } from "@parley/service-runtime";
import { dialTimeoutMs, lookupHeadStartMs } from "./limits.js";

/** Whether nobody accepted a connection in time. */
export const isUnaccepted = (error: unknown) => error instanceof Error && "code" in error && error.code === "ETIMEDOUT";

/** The addresses of a host. */
export type FindAddresses = (host: string) => Promise<LookupAddress[]>;

/**
 * A socket for pg, which connects it. It gives up a connection that is not accepted within `dialTimeoutMs`, and with it
 * its place in the pool: TCP would repeat packets to a server that is gone only after ever longer pauses, also once the
 * server is back, and meanwhile nobody could try anew.
 */
export function dialingSocket(findAddresses: FindAddresses = findByNameServers): Socket {
  const socket = new Socket();
  const connect = socket.connect.bind(socket);
  const lookup: LookupFunction = (host, { all }, callback) => {
    findAddresses(host).then(
      (found) => (all ? callback(null, found) : callback(null, found[0]?.address ?? "", found[0]?.family)),
      (error) => callback(error, []),
    );
  };
  const dial = (port: number, host: string) => {
    const late = Object.assign(new Error(`connect ETIMEDOUT ${host}:${port}`), { code: "ETIMEDOUT" });
    let ticks = 0;
    // A process that has no time for its sockets counts no more than one tick meanwhile.
    const timer = setInterval(() => {
      ticks += 1;
      if (ticks >= dialTicks) socket.destroy(late);
    }, dialTimeoutMs / dialTicks);
    for (const event of ["connect", "close"]) socket.once(event, () => clearInterval(timer));
    return connect({ port, host, lookup });
  };
  // A path is a Unix socket, which is there or not.
  return Object.assign(socket, {
    connect: (to: number | string, host?: string) =>
      typeof to === "number" ? dial(to, host ?? "localhost") : connect(to),
  });
}

const dialTicks = 10;
const nameServers = new dns.Resolver({ timeout: dialTimeoutMs, tries: 1 });

const findByNameServers = addressFinder({
  lookup: (host) => dns.lookup(host, { all: true }),
  resolve: async (host) => (await nameServers.resolve4(host)).map((address) => ({ address, family: 4 })),
});

/**
 * Asks the system, as everybody does. While its answer hangs, the name servers are asked beside it, anew by each call: Docker's
 * hands the name of a container that is gone on to servers that may never answer, and the system waits for these for ten
 * seconds, in one of four threads, although the container is back. Those calls share one question to the system.
 */
export function addressFinder(ask: { lookup: FindAddresses; resolve: FindAddresses }): FindAddresses {
  const running = new Map<string, Promise<LookupAddress[]>>();
  const lookUp = (host: string) => {
    const found = running.get(host) ?? ask.lookup(host).finally(() => running.delete(host));
    running.set(host, found);
    return found;
  };
  return async (host) => {
    const found = lookUp(host);
    return (
      (await within(found, lookupHeadStartMs, () => null)) ??
      // The refusal of the system is the one that names the cause.
      Promise.any([found, ask.resolve(host)]).catch(() => found)
    );
  };
}
