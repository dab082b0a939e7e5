import { expect, test } from "vitest";
import { createLocalAttempts } from "./local-attempts.js";

const open = (keysMax?: number) => {
  const attempts = createLocalAttempts({
    limits: [2, 3],
    windowMs: 1_000,
    ...(keysMax === undefined ? {} : { keysMax }),
  });
  let ids = 0;
  const begin = (address: string, now: number, account = "account") =>
    attempts.begin([address, account], { id: `${ids++}`, now }).waitMs;
  return { attempts, begin };
};

test("attempts are counted by address and by account, with the time to wait", () => {
  const { begin } = open();
  expect([begin("a", 0), begin("a", 100), begin("a", 400)]).toEqual([0, 0, 600]);
  expect([begin("b", 500), begin("b", 600)]).toEqual([0, 400]);
  expect([begin("b", 999), begin("b", 1_000)]).toEqual([1, 0]);
});

test("an attempt that succeeded is not counted", () => {
  const { attempts, begin } = open();
  expect([begin("a", 0), begin("a", 1)]).toEqual([0, 0]);
  attempts.succeed(["a", "account"], "1");
  expect([begin("a", 2), begin("a", 3)]).toEqual([0, 997]);
});

test("the key that was used longest ago is forgotten first", () => {
  const { begin } = open(2);
  expect([begin("a", 0), begin("a", 1)]).toEqual([0, 0]);
  expect(begin("a", 2)).toBe(998);
  expect(begin("b", 3, "another account")).toBe(0);
  expect(begin("a", 4)).toBe(0);
});
