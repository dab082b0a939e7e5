import { createGate, waitUntil } from "@parley/testing";
import { describe, expect, test } from "vitest";
import { createLatestPace } from "./latest-pace.js";

/** A pace of two pieces of work per `secondMs`, and work that records its name. */
function start(secondMs: number) {
  const done: string[] = [];
  const errors: unknown[] = [];
  const pace = createLatestPace<string>({ perSecondMax: 2, secondMs, onError: (err) => errors.push(err) });
  const add = (userId: string, key: string, name: string, until: Promise<unknown> = Promise.resolve()) =>
    pace.add(userId, key, async () => {
      await until;
      done.push(name);
    });
  return { done, errors, pace, add };
}
const never = 3_600_000;

describe("the pace of a user's work", () => {
  test("the pace of a user's work lets what is within the rate begin at once, over all keys, and does not count another user's", async () => {
    const { done, add } = start(never);
    await add("ann", "one", "first");
    await add("ann", "two", "second");
    expect([add("ann", "one", "third"), add("ann", "three", "fourth")]).toEqual([undefined, undefined]);
    await add("bob", "one", "another's");
    expect(done).toEqual(["first", "second", "another's"]);
  });

  test("the pace of a user's work makes the latest of each key wait, in turn", async () => {
    const { done, add } = start(50);
    for (const n of [1, 2, 3, 4]) {
      for (const key of ["a", "b", "c"]) void add("ann", key, `${key}${n}`);
    }
    await waitUntil(() => done.length === 5);
    expect(done).toEqual(["a1", "b1", "c4", "a4", "b4"]);
    await add("ann", "a", "a5");
    await waitUntil(() => done.at(-1) === "a5");
  });

  test("the pace of a user's work runs the work of one key one at a time, and goes on after failures", async () => {
    const { done, errors, add, pace } = start(50);
    const held = createGate();
    void add("ann", "a", "a1", held.opened);
    expect(add("ann", "a", "a2")).toBeUndefined();
    await add("ann", "b", "b1");
    pace.add("ann", "b", () => Promise.reject(new Error("lost")));
    await waitUntil(() => errors.length === 1);
    expect(done).toEqual(["b1"]);
    held.open();
    await waitUntil(() => done.length === 3);
    expect(done).toEqual(["b1", "a1", "a2"]);
  });
});
