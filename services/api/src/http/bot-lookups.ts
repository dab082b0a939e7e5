import { type Claim, hashToken, type Identity } from "@parley/auth";
import type { Take, TokenBucket } from "@parley/redis";
import { provenCredentialsMax } from "./limits.js";

/** Who a bot's credential belongs to, or what the address's bucket of lookups said instead. */
export type BotLookup = { identity: Identity | null } | { refused: Take };

/**
 * Whether a request counts against a bot or against its address is known only once the database was asked. So that an
 * address cannot ask without end, a credential that was never found here costs its address a token of `bucket`, which it
 * gets back when the credential is a bot's. One that was found is looked up every time: a revocation counts at once.
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
        // One at a time, so that many bots who start at once at one address do not take all its tokens from each other.
        const lookup = await inTurn(address, async () => (proven.has(key) ? null : prove(claim, { key, address })));
        if (lookup !== null) return lookup;
      }
      const identity = await claim.confirm();
      if (identity === null) proven.delete(key);
      return { identity };
    },
  };
}

/** Asks the database about the credentials of bots. */
export type BotLookups = ReturnType<typeof createBotLookups>;

/** Runs the work of one address after the other's; what fails fails those who wait behind it, for the same reason. */
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
