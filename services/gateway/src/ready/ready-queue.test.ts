import { waitUntil } from "@parley/testing";
import { afterEach, describe, expect, test, vi } from "vitest";
import { readyBatchMax, readyInFlightMax, readyRestFactor, readyRestMaxMs, readySlowInFlightMax } from "../limits.js";
import { createReadyQueue } from "./ready-queue.js";

interface Step {
  users: string[];
  answer(): void;
  fail(): void;
}

/**
 * A queue whose builds end when the test says so: all of a reading, or the part of one user. Nobody rests, unless the
 * test says so.
 */
function createSteps(options: { slowMs?: number; restFactor?: number } = {}) {
  const begun: string[] = [];
  const steps: Step[] = [];
  const ends = new Map<string, { resolve(result: string): void; reject(error: Error): void }>();
  let builds = 0;
  const ask = createReadyQueue<Promise<string>, string>({
    restFactor: 0,
    ...options,
    read: (users) => {
      begun.push(...users);
      const parts = new Map(
        users.map((user) => [
          user,
          new Promise<string>((resolve, reject) => {
            ends.set(user, { resolve, reject });
          }),
        ]),
      );
      return new Promise((resolve, reject) => {
        steps.push({ users, answer: () => resolve(parts), fail: () => reject(new Error(users.join())) });
      });
    },
    finish: async (part) => {
      if (part === undefined) throw new Error("no part");
      return part;
    },
  });
  const stepOf = (user: string) => steps.findLast(({ users }) => users.includes(user));
  return {
    begun,
    steps,
    ask,
    /** Asks for each of them so that each is built alone. */
    async askEach(users: readonly string[]): Promise<Promise<string>[]> {
      const results: Promise<string>[] = [];
      for (const user of users) {
        results.push(ask(user));
        await waitUntil(() => begun.includes(user));
      }
      return results;
    },
    end(user: string): void {
      builds += 1;
      stepOf(user)?.answer();
      ends.get(user)?.resolve(`${user} ${builds}`);
    },
    fail(user: string): void {
      stepOf(user)?.answer();
      ends.get(user)?.reject(new Error(user));
    },
    failReading: (user: string) => stepOf(user)?.fail(),
  };
}

const names = (prefix: string, count: number) => Array.from({ length: count }, (_, number) => `${prefix}${number}`);

describe("the queue of READY", () => {
  test("the queue of READY builds for one user at most once at a time, and once more for all who asked meanwhile", async () => {
    const { ask, askEach, begun, end } = createSteps();
    const [first] = await askEach(["a"]);
    const later = Array.from({ length: 48 }, () => ask("a"));
    expect(begun).toEqual(["a"]);
    end("a");
    expect(await first).toBe("a 1");
    await waitUntil(() => begun.length === 2);
    end("a");
    expect(new Set(await Promise.all(later))).toEqual(new Set(["a 2"]));
    expect(begun).toEqual(["a", "a"]);
  });

  test("the queue of READY lets others have their turn before a user's second build", async () => {
    const { ask, askEach, begun, end } = createSteps();
    const users = names("u", readyInFlightMax + readyBatchMax);
    await askEach(users.slice(0, readyInFlightMax));
    for (const user of [...users.slice(readyInFlightMax), "u0", "u0"]) void ask(user);
    expect(begun).toEqual(users.slice(0, readyInFlightMax));
    end("u0");
    await waitUntil(() => begun.length === users.length);
    expect(begun).toEqual(users);
    end("u1");
    await waitUntil(() => begun.length === users.length + 1);
    expect(begun.at(-1)).toBe("u0");
  });

  test("the queue of READY fails only those who asked for the user whose build failed", async () => {
    const { askEach, begun, end, fail } = createSteps();
    const outcomes = Promise.allSettled(await askEach(["bad", "good"]));
    fail("bad");
    end("good");
    expect((await outcomes).map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
    begun.length = 0;
    const [again] = await askEach(["bad"]);
    end("bad");
    expect(await again).toBe("bad 2");
  });

  test("the queue of READY gives users whose last build was slow no more than their part of the places", async () => {
    const { ask, askEach, begun, end } = createSteps({ slowMs: 0 });
    const slow = names("slow", readyInFlightMax);
    const results = await askEach(slow);
    slow.forEach(end);
    await Promise.all(results);
    begun.length = 0;
    for (const user of slow) void ask(user);
    const quick = names("quick", readyInFlightMax);
    await askEach(quick.slice(0, readyInFlightMax - readySlowInFlightMax));
    for (const user of quick.slice(readyInFlightMax - readySlowInFlightMax)) void ask(user);
    expect(begun).toHaveLength(readyInFlightMax);
    expect(begun.filter((user) => user.startsWith("slow"))).toHaveLength(readySlowInFlightMax);
    end("quick0");
    await waitUntil(() => begun.includes(`quick${readyInFlightMax - readySlowInFlightMax}`));
    expect(begun.filter((user) => user.startsWith("slow"))).toHaveLength(readySlowInFlightMax);
  });

  test("the queue of READY lets users who wait share a build, and answers each as soon as their own part is done", async () => {
    const { ask, askEach, steps, end } = createSteps();
    await askEach(names("busy", readyInFlightMax));
    const users = names("u", readyBatchMax + 1);
    const results = users.map(ask);
    end("busy0");
    await waitUntil(() => steps.length === readyInFlightMax + 1);
    expect(steps.at(-1)?.users).toEqual(users.slice(0, readyBatchMax));
    end("u0");
    expect(await results[0]).toBe("u0 2");
    end("busy1");
    await waitUntil(() => steps.length === readyInFlightMax + 2);
    expect(steps.at(-1)?.users).toEqual(users.slice(readyBatchMax));
  });

  test("the queue of READY lets users who ask in the same turn of the event loop share builds", async () => {
    const { ask, steps } = createSteps();
    const users = names("u", readyBatchMax + 2);
    for (const user of users) void ask(user);
    await waitUntil(() => steps.length === 2);
    expect(steps.map((step) => step.users)).toEqual([users.slice(0, readyBatchMax), users.slice(readyBatchMax)]);
  });

  test("the queue of READY fails one user of a shared build alone", async () => {
    const { ask, askEach, steps, end, fail } = createSteps();
    await askEach(names("busy", readyInFlightMax));
    const outcomes = Promise.allSettled(["a", "bad", "b"].map(ask));
    end("busy0");
    await waitUntil(() => steps.length === readyInFlightMax + 1);
    end("a");
    fail("bad");
    end("b");
    expect((await outcomes).map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  });

  test("the queue of READY builds each user of a reading that failed alone, before those who wait", async () => {
    const { ask, askEach, steps, end, failReading } = createSteps();
    await askEach(names("busy", readyInFlightMax));
    const together = ["a", "bad", "b"];
    const outcomes = Promise.allSettled(together.map(ask));
    end("busy0");
    await waitUntil(() => steps.length === readyInFlightMax + 1);
    const laterA = ask("a");
    void ask("other");
    failReading("a");
    for (const [index, user] of together.entries()) {
      await waitUntil(() => steps.length === readyInFlightMax + 2 + index);
      expect(steps.at(-1)?.users).toEqual([user]);
      if (user === "bad") failReading(user);
      else end(user);
    }
    expect((await outcomes).map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    await waitUntil(() => steps.length === readyInFlightMax + 5);
    expect(steps.at(-1)?.users).toEqual(["other", "a"]);
    end("other");
    end("a");
    expect(await laterA).toMatch(/^a /);
  });

  test("the queue of READY builds those who shared a slow build alone the next time, in their turn", async () => {
    const { ask, askEach, steps, end } = createSteps({ slowMs: 0 });
    const busy = names("busy", readyInFlightMax);
    const busyThen = await askEach(busy);
    const together = ["heavy", "a"];
    const results = together.map(ask);
    busy.forEach(end);
    await waitUntil(() => steps.length === readyInFlightMax + 1);
    expect(steps.at(-1)?.users).toEqual(together);
    together.forEach(end);
    await Promise.all([...busyThen, ...results]);
    await askEach(names("others", readyInFlightMax));
    for (const user of ["b", "c", ...together, "d", "e"]) void ask(user);
    const seen = steps.length;
    for (const [index, expected] of [["b", "c"], ["heavy"], ["a"], ["d", "e"]].entries()) {
      end(`others${index}`);
      await waitUntil(() => steps.length > seen + index);
      expect(steps[seen + index]?.users).toEqual(expected);
    }
  });

  test("the queue of READY answers each request by a build that began after it", async () => {
    const { ask, askEach, begun, steps, end } = createSteps();
    await askEach(names("busy", readyInFlightMax));
    const first = [ask("a"), ask("b"), ask("a")];
    end("busy0");
    await waitUntil(() => steps.length === readyInFlightMax + 1);
    const later = ask("a");
    end("a");
    expect(await first[0]).toBe("a 2");
    const last = ask("a");
    end("b");
    await waitUntil(() => begun.filter((user) => user === "a").length === 2);
    end("a");
    expect(await Promise.all([first[2], later, last])).toEqual(["a 2", "a 4", "a 4"]);
  });

  describe("after a build", () => {
    afterEach(() => {
      vi.useRealTimers();
    });

    async function buildFor(ms: number) {
      vi.useFakeTimers();
      const steps = createSteps({ restFactor: readyRestFactor });
      const first = steps.ask("a");
      await vi.advanceTimersByTimeAsync(0);
      vi.advanceTimersByTime(ms);
      steps.end("a");
      await first;
      return steps;
    }

    test("lets a user rest in proportion to what it took, and nobody else", async () => {
      const { ask, begun } = await buildFor(100);
      void ask("a");
      void ask("b");
      await vi.advanceTimersByTimeAsync(100 * readyRestFactor - 1);
      expect(begun).toEqual(["a", "b"]);
      await vi.advanceTimersByTimeAsync(1);
      expect(begun).toEqual(["a", "b", "a"]);
    });

    test("lets a user rest no longer than the limit, and begins at once afterwards", async () => {
      const { ask, begun } = await buildFor(readyRestMaxMs);
      await vi.advanceTimersByTimeAsync(readyRestMaxMs);
      void ask("a");
      await vi.advanceTimersByTimeAsync(0);
      expect(begun).toEqual(["a", "a"]);
    });
  });
});
