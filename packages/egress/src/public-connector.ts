import type { LookupAddress, LookupAllOptions } from "node:dns";
import { isIP, type LookupFunction, type Socket } from "node:net";
import { buildConnector } from "undici";

/** Finds the addresses of a name, as `node:dns` does. */
export type Lookup = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** Nothing was dialled, because the target is not on the public internet (docs/protocol/webhooks.md#13.2). */
export class RefusedAddressError extends Error {
  override readonly name = "RefusedAddressError";

  constructor(host: string) {
    super(`${host} is not a public address`);
  }
}

/**
 * Makes connections only to addresses that pass the test. It tests the addresses of a name at the moment of dialling,
 * because a name may resolve to something else each time; and once more to the peer of the open socket.
 *
 * @param options.allows whether an address may be dialled
 * @param options.timeoutMs how long dialling may take
 * @param options.lookup function of a resolver: the system's would keep a thread waiting for a name server that hangs
 */
export function createPublicConnector(options: {
  allows: (address: string) => boolean;
  timeoutMs: number;
  lookup: Lookup;
}) {
  const { allows, timeoutMs, lookup } = options;
  const guardedLookup: LookupFunction = (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, []);
      const allowed = addresses.filter(({ address }) => allows(address));
      const [first] = allowed;
      if (first === undefined) return callback(new RefusedAddressError(hostname), []);
      if (options.all) callback(null, allowed);
      else answerOne(callback, first);
    });
  };
  const connect = buildConnector({ timeout: timeoutMs, lookup: guardedLookup });

  const connector: typeof connect = (options, callback) => {
    const host = options.hostname.replace(/^\[(.*)\]$/, "$1");
    // An address needs no lookup, so the check inside the lookup would never see it.
    if (isIP(host) !== 0 && !allows(host)) {
      queueMicrotask(() => callback(new RefusedAddressError(host), null));
      return;
    }
    connect(options, (...[error, socket]) => {
      if (error !== null) return callback(error, null);
      if (peerAllowed(socket, allows)) return callback(null, socket);
      socket.destroy();
      callback(new RefusedAddressError(host), null);
    });
  };
  return connector;
}

function answerOne(callback: Parameters<LookupFunction>[2], { address, family }: LookupAddress): void {
  callback(null, address, family);
}

function peerAllowed(socket: Socket, allows: (address: string) => boolean): boolean {
  // A connection that ended this instant has no peer any more; using it fails by itself.
  return socket.remoteAddress === undefined || allows(socket.remoteAddress);
}
