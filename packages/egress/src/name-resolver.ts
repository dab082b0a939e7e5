import type { LookupAddress } from "node:dns";
import { isIP } from "node:net";
import { LRUCache } from "lru-cache";
import { hostsAddresses, localhostAddresses, readLocalNames, searchDomains } from "./local-names.js";
import { LookupTurns } from "./lookup-turns.js";
import type { Lookup } from "./public-connector.js";
import { type FoundName, isLate, isMissing, queryName } from "./query-name.js";

/** How long a look-up may take once it has begun, and how long it may wait for that: less than a bot has for its answer. */
const lookupTimeoutMs = 2_500;
/** Look-ups under way in this process, and of one owner: also the name servers have bounds. */
export const lookupsMax = 256;
export const lookupsPerOwnerMax = 32;
/** Most names whose addresses, or whose failure, are remembered. */
const namesMax = 10_000;
/** Addresses are remembered for as long as they are valid, within these bounds. */
const foundMinMs = 1_000;
const foundMaxMs = 30_000;
/**
 * A failure is remembered for this long, twice as long after each further one, up to the maximum. The first time it is less than the
 * pause before the second attempt of a delivery, so a name server that was away for a moment costs one attempt.
 */
export const failedMinMs = 4_000;
export const failedMaxMs = 30_000;

/** Outcomes of a look-up: `crowded` waited in vain for its turn. */
export const lookupOutcomes = ["found", "missing", "late", "failed", "crowded"] as const;
export type LookupOutcome = (typeof lookupOutcomes)[number];

/** The failed look-up of a name. */
export class NameLookupError extends Error {
  override readonly name = "NameLookupError";

  constructor(
    readonly outcome: Exclude<LookupOutcome, "found">,
    host: string,
    options?: ErrorOptions,
  ) {
    super(failureTexts[outcome](host), options);
  }
}
const failureTexts: Record<NameLookupError["outcome"], (host: string) => string> = {
  missing: (host) => `${host} has no address`,
  late: (host) => `The name servers of ${host} do not answer`,
  failed: (host) => `${host} cannot be looked up`,
  crowded: (host) => `${host} was not looked up in time`,
};

type Answer = { addresses: readonly LookupAddress[] } | { error: NameLookupError };
interface UnderWay {
  readonly answer: Promise<Answer>;
  readonly join: (owner: string) => void;
}

/** Looks up names that users chose. */
export type NameResolver = ReturnType<typeof createNameResolver>;

/**
 * Looks up names that users chose, so that names which hang delay nobody else: off the threads of the process, with a
 * time limit of their own, few at a time of one owner; a name that is being looked up already is not looked up a second
 * time. The resolver remembers the results. The connector decides at each connection whether an address may be dialled.
 *
 * @param options.knowsLocalNames whether names of the hosts file and short names of the search domains count, which is
 * for installations that allow addresses which are not public
 * @param options.servers `address:port` of the name servers, instead of those of the machine
 * @param options.readFiles instead of the files of this machine
 * @param options.onEnd called at the end of each look-up; remembered answers do not count
 */
export function createNameResolver(options: {
  knowsLocalNames: boolean;
  servers?: readonly string[] | undefined;
  readFiles?: typeof readLocalNames;
  onEnd?: (outcome: LookupOutcome) => void;
  now?: () => number;
}) {
  const { knowsLocalNames, servers, readFiles = readLocalNames } = options;
  const { onEnd = () => undefined, now = () => performance.now() } = options;
  const turns = new LookupTurns({ atOnceMax: lookupsMax, perOwnerMax: lookupsPerOwnerMax });
  const remembered = new LRUCache<string, { answer: Answer; until: number; failedForMs: number }>({ max: namesMax });
  const underWay = new Map<string, UnderWay>();

  const remember = (name: string, answer: Answer, ttlSeconds: number) => {
    const before = remembered.peek(name)?.failedForMs ?? 0;
    const failedForMs = "error" in answer ? Math.min(Math.max(failedMinMs, before * 2), failedMaxMs) : 0;
    const foundForMs = Math.min(Math.max(foundMinMs, ttlSeconds * 1000), foundMaxMs);
    remembered.set(name, { answer, until: now() + ("error" in answer ? failedForMs : foundForMs), failedForMs });
  };

  const ask = async (name: string, signal: AbortSignal): Promise<FoundName> => {
    const { hostsFile, resolvConf } = knowsLocalNames ? await readFiles() : { hostsFile: "", resolvConf: "" };
    const addresses = hostsAddresses(hostsFile, name);
    if (addresses.length > 0) return { addresses, ttlSeconds: 0 };
    const fullNames = [name, ...searchDomains(resolvConf).map((domain) => `${name}.${domain}`)];
    let failure: unknown;
    for (const fullName of fullNames) {
      try {
        return await queryName(fullName, { signal, servers });
      } catch (error) {
        if (!isMissing(error)) throw error;
        failure ??= error;
      }
    }
    throw failure;
  };

  const answerOf = async (name: string): Promise<Answer> => {
    try {
      const { addresses, ttlSeconds } = await ask(name, AbortSignal.timeout(lookupTimeoutMs));
      const answer = { addresses };
      remember(name, answer, ttlSeconds);
      return answer;
    } catch (cause) {
      const outcome = isMissing(cause) ? "missing" : isLate(cause) ? "late" : "failed";
      const answer = { error: new NameLookupError(outcome, name, { cause }) };
      remember(name, answer, 0);
      return answer;
    }
  };

  const begin = (name: string, owner: string | null): UnderWay => {
    let resolve: (answer: Answer) => void = () => undefined;
    const answer = new Promise<Answer>((resolveAnswer) => {
      resolve = resolveAnswer;
    });
    const end = (ended: Answer) => {
      clearTimeout(timer);
      underWay.delete(name);
      onEnd("error" in ended ? ended.error.outcome : "found");
      resolve(ended);
    };
    const timer = setTimeout(() => {
      // It says nothing about the name, so it is not remembered.
      if (turn.leave()) end({ error: new NameLookupError("crowded", name) });
    }, lookupTimeoutMs);
    const turn = turns.wait(owner, (endTurn) => void answerOf(name).then(end).finally(endTurn));
    return { answer, join: turn.join };
  };

  const find = async (host: string, owner: string | null): Promise<Answer> => {
    const name = host.toLowerCase().replace(/\.$/, "");
    const own = localhostAddresses(name);
    if (own !== null) return { addresses: own };
    const known = remembered.get(name);
    if (known !== undefined && known.until > now()) return known.answer;
    let lookup = underWay.get(name);
    if (lookup === undefined) {
      lookup = begin(name, owner);
      underWay.set(name, lookup);
    } else if (owner !== null) lookup.join(owner);
    return lookup.answer;
  };

  return {
    /**
     * Begins to look up the host of a request of the owner's that follows at once, and which then waits for this look-up. Does nothing
     * for an address, and for a name whose addresses are known.
     */
    begin(host: string, owner: string): void {
      if (isIP(host.replace(/^\[(.*)\]$/, "$1")) === 0) void find(host, owner);
    },
    /** For connections. It counts for no owner, unless the look-up began for one. */
    lookup: ((host, _options, callback) => {
      void find(host, null).then((answer) => {
        if ("error" in answer) callback(answer.error, []);
        else callback(null, [...answer.addresses]);
      });
    }) satisfies Lookup,
  };
}
