import { waitUntil } from "@parley/testing";
import { describe, expect, it } from "vitest";
import { readyInFlightMax, readySlowInFlightMax } from "../limits.js";
import { createReadyQueue } from "./ready-queue.js";

/** A queue whose builds end when the test says so. */
function createSteps(options: { slowMs?: number } = {}) {
  const begun: string[] = [];
  const ends = new Map<string, { resolve(result: string): void; reject(error: Error): void }>();
  let builds = 0;
  const ask = createReadyQueue({
    ...options,
    build: (userId) =>
      new Promise<string>((resolve, reject) => {
        begun.push(userId);
        ends.set(userId, { resolve, reject });
      }),
  });
  return {
    begun,
    ask,
    end(userId: string): void {
      builds += 1;
      ends.get(userId)?.resolve(`${userId} ${builds}`);
    },
    fail: (userId: string) => ends.get(userId)?.reject(new Error(userId)),
  };
}

const names = (prefix: string, count: number) => Array.from({ length: count }, (_, number) => `${prefix}${number}`);

describe("the queue of READY", () => {
  it("builds for one user at most once at a time, and once more for all who asked meanwhile", async () => {
    const { ask, begun, end } = createSteps();
    const first = ask("a");
    const later = Array.from({ length: 48 }, () => ask("a"));
    expect(begun).toEqual(["a"]);
    end("a");
    expect(await first).toBe("a 1");
    await waitUntil(() => begun.length === 2);
    end("a");
    expect(new Set(await Promise.all(later))).toEqual(new Set(["a 2"]));
    expect(begun).toEqual(["a", "a"]);
  });

  it("lets others have their turn before a user's second build", async () => {
    const { ask, begun, end } = createSteps();
    const users = names("u", readyInFlightMax + 1);
    for (const user of [...users, "u0", "u0"]) void ask(user);
    expect(begun).toEqual(users.slice(0, -1));
    end("u0");
    await waitUntil(() => begun.length === readyInFlightMax + 1);
    end("u1");
    await waitUntil(() => begun.length === readyInFlightMax + 2);
    expect(begun.slice(-2)).toEqual([users.at(-1), "u0"]);
  });

  it("fails only those who asked for the user whose build failed", async () => {
    const { ask, end, fail } = createSteps();
    const [bad, good] = [ask("bad"), ask("good")];
    fail("bad");
    end("good");
    const outcomes = await Promise.allSettled([bad, good]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
    const again = ask("bad");
    end("bad");
    expect(await again).toBe("bad 2");
  });

  it("gives users whose last build was slow no more than their part of the places", async () => {
    const { ask, begun, end } = createSteps({ slowMs: 0 });
    const slow = names("slow", readyInFlightMax);
    const results = slow.map(ask);
    slow.forEach(end);
    await Promise.all(results);
    begun.length = 0;
    for (const user of [...slow, ...names("quick", readyInFlightMax)]) void ask(user);
    expect(begun).toHaveLength(readyInFlightMax);
    expect(begun.filter((user) => user.startsWith("slow"))).toHaveLength(readySlowInFlightMax);
    end("quick0");
    await waitUntil(() => begun.includes(`quick${readyInFlightMax - readySlowInFlightMax}`));
    expect(begun.filter((user) => user.startsWith("slow"))).toHaveLength(readySlowInFlightMax);
  });
});
