import { beforeEach, expect, test, vi } from "vitest";

/** The hashes that argon2 was asked to verify: its work depends on nothing but the parameters that they name. */
const verified: string[] = [];

vi.mock("@node-rs/argon2", async (original) => {
  const argon2 = await original<typeof import("@node-rs/argon2")>();
  return {
    ...argon2,
    verify: (hash: string, password: string) => {
      verified.push(hash);
      return argon2.verify(hash, password);
    },
  };
});

// Another test file of this process may have loaded it with the library itself.
vi.resetModules();
const { hashPassword, verifyPassword } = await import("./passwords.js");

beforeEach(() => {
  verified.length = 0;
});

const parametersOf = (hash: string) => hash.split("$").slice(0, 4).join("$");

test("a password is hashed with argon2id, 19 MiB and two passes", async () => {
  expect(parametersOf(await hashPassword("right"))).toBe("$argon2id$v=19$m=19456,t=2,p=1");
});

test("a login does the same work for a right password, a wrong one and an account that has none or does not exist", async () => {
  const stored = await hashPassword("right");
  expect([
    await verifyPassword(stored, "right"),
    await verifyPassword(stored, "wrong"),
    await verifyPassword(null, "right"),
    await verifyPassword(null, "no account has this password"),
  ]).toEqual([true, false, false, false]);
  expect(verified.map(parametersOf)).toEqual(Array.from({ length: 4 }, () => parametersOf(stored)));
});
