import { type Claim, hashToken, type Identity } from "@parley/auth";
import type { Take, TokenBucket } from "@parley/redis";

/** Most credentials of bots that a process keeps as found before; the oldest are evicted first. */
const provenCredentialsMax = 10_000;

/** The owner of a bot's credential, or the refusal by the address's bucket of lookups. */
export type BotLookup = { identity: Identity | null } | { refused: Take };

/**
 * Whether a request counts against a bot or against its address is known only after a lookup in the database. To limit
 * the lookups per address, a credential that this process has not found before takes a token of `bucket` from its
 * address, which is given back when the credential is a bot's. A credential found before is still looked up for every
 * request, so that a revocation takes effect at once.
 */
export function createBotLookups({ bucket }: { bucket: TokenBucket }) {
  const proven = new Set<string>();
  const inTurn = createTurns();

  async function prove(claim: Claim, { key, address }: { key: string; address: string }): Promise<BotLookup> {
    const take = await bucket.take(address);
    if (!take.allowed) return { refused: take };
    let isUnknown = false;
    try {
      const identity = await claim.confirm();
      isUnknown = identity === null;
      if (!isUnknown) remember(key);
      return { identity };
    } finally {
      if (!isUnknown) await bucket.giveBack(address);
    }
  }

  function remember(key: string): void {
    proven.add(key);
    const [oldest] = proven;
    if (proven.size > provenCredentialsMax && oldest !== undefined) proven.delete(oldest);
  }

  return {
    async confirm(
      claim: Claim,
      { authorization, address }: { authorization: string; address: string },
    ): Promise<BotLookup> {
      const key = hashToken(authorization);
      if (!proven.has(key)) {
        // One at a time per address, so that many bots that start at once at one address do not exhaust its bucket.
        const lookup = await inTurn(address, async () => (proven.has(key) ? null : prove(claim, { key, address })));
        if (lookup !== null) return lookup;
      }
      const identity = await claim.confirm();
      if (identity === null) proven.delete(key);
      return { identity };
    },
  };
}

/** Looks up the credentials of bots in the database. */
export type BotLookups = ReturnType<typeof createBotLookups>;

/** Serializes the work per key; a failure also fails the work queued behind it, with the same error. */
function createTurns() {
  const last = new Map<string, Promise<unknown>>();
  return async <Result>(address: string, work: () => Promise<Result>): Promise<Result> => {
    const mine = last.get(address)?.then(work) ?? work();
    last.set(address, mine);
    try {
      return await mine;
    } finally {
      if (last.get(address) === mine) last.delete(address);
    }
  };
}
