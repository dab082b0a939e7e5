import { type Algorithm, hash, verify } from "@node-rs/argon2";

/** Cost of a hash: KiB of memory, passes and lanes. */
export interface PasswordCost {
  readonly memoryCost: number;
  readonly timeCost: number;
  readonly parallelism: number;
}

/** OWASP's parameters for argon2id: 19 MiB, two passes, one lane. */
let cost: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const argon2id: Algorithm.Argon2id = 2;

/** Changes the cost of later hashes, for tests: an operator has no setting for it. */
export function setPasswordCost(other: PasswordCost): void {
  cost = other;
}

/** Hashes a password with argon2id off the main thread. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, { ...cost, algorithm: argon2id });
}

let decoy: Promise<string> | undefined;

/**
 * Whether the password fits the hash. Without a hash (unknown user, bot) it spends the same time and is false, so that
 * response times do not reveal which names exist.
 */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword("no account has this password");
  const matches = await verify(stored ?? (await decoy), password);
  return stored !== null && matches;
}
