import { type Algorithm, hash, verify } from "@node-rs/argon2";

/** OWASP's parameters for argon2id: 19 MiB, two passes, one lane. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
const argon2id: Algorithm.Argon2id = 2;

/** Hashes a password with argon2id off the main thread. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, { ...parameters, algorithm: argon2id });
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
