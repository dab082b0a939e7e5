import { createGate } from "@parley/testing";
import { expect, test } from "vitest";
import { createUserTurns } from "./user-turns.js";

test("one user's work runs in order, a failure included, and another user's beside it", async () => {
  const turns = createUserTurns();
  const done: string[] = [];
  const gate = createGate();
  const work =
    (name: string, before: Promise<void> = Promise.resolve()) =>
    async () => {
      await before;
      done.push(name);
      if (name === "fails") throw new Error(name);
    };
  const slow = turns.take("ann", work("slow", gate.opened));
  const failing = turns.take("ann", work("fails"));
  const last = turns.take("ann", work("last"));
  await turns.take("bob", work("other"));
  expect(done).toEqual(["other"]);
  gate.open();
  await expect(failing).rejects.toThrow("fails");
  await Promise.all([slow, last, turns.end()]);
  expect(done).toEqual(["other", "slow", "fails", "last"]);
});
