import type { LookupAddress } from "node:dns";
import { Resolver } from "node:dns/promises";

/** How long a name server may take for a question, the second time twice as long. */
const serverTimeoutMs = 1_000;
const triesMax = 2;
/** How much longer the addresses of the other family may take. */
const otherFamilyMs = 300;

/** The addresses of a name. */
export interface FoundName {
  /** At least one. */
  readonly addresses: readonly LookupAddress[];
  /** Seconds for which all of them are valid. */
  readonly ttlSeconds: number;
}

/**
 * Asks the name servers of the machine for the IPv4 and the IPv6 addresses of a name. It occupies none of
 * Node's four threads, as the look-ups of the system do.
 *
 * @param options.signal ends the look-up
 * @param options.servers `address:port` of the name servers, instead of those of the machine
 * @throws the error of `node:dns` where there is no address: its code is `ENOTFOUND` or `ENODATA` where a name server said so,
 * `ETIMEOUT` or `ECANCELLED` where none answered in time
 */
export async function queryName(
  name: string,
  { signal, servers }: { signal: AbortSignal; servers?: readonly string[] | undefined },
): Promise<FoundName> {
  signal.throwIfAborted();
  // One for each look-up, so that its end is no other one's.
  const resolver = new Resolver({ timeout: serverTimeoutMs, tries: triesMax });
  if (servers !== undefined) resolver.setServers(servers);
  const cancel = () => resolver.cancel();
  signal.addEventListener("abort", cancel, { once: true });
  let hurry: NodeJS.Timeout | undefined;
  const ask = async (family: 4 | 6) => {
    const records = await (family === 4
      ? resolver.resolve4(name, { ttl: true })
      : resolver.resolve6(name, { ttl: true }));
    if (records.length > 0) hurry ??= setTimeout(cancel, otherFamilyMs);
    return records.map(({ address, ttl }) => ({ address, family, ttl }));
  };
  try {
    const answers = await Promise.allSettled([ask(4), ask(6)]);
    const records = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    if (records.length > 0) {
      const addresses = records.map(({ address, family }) => ({ address, family }));
      return { addresses, ttlSeconds: Math.min(...records.map(({ ttl }) => ttl)) };
    }
    throw failureOf(answers);
  } finally {
    clearTimeout(hurry);
    signal.removeEventListener("abort", cancel);
  }
}

/** Whether no name server answered in time. */
export function isLate(error: unknown): boolean {
  return hasCode(error, "ETIMEOUT", "ECANCELLED");
}

/** Whether a name server said that there is no such name, or that it has no address. */
export function isMissing(error: unknown): boolean {
  return hasCode(error, "ENOTFOUND", "ENODATA");
}

function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}

/** A late failure comes first, if there is one, because its answer is unknown. */
function failureOf(answers: readonly PromiseSettledResult<unknown>[]): unknown {
  const failures = answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason] : []));
  return failures.find(isLate) ?? failures[0] ?? Object.assign(new Error("no addresses"), { code: "ENODATA" });
}
