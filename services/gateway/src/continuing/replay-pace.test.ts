import { createGate } from "@parley/testing";
import { describe, expect, test } from "vitest";
import { replaysAtOnceMax } from "../limits.js";
import { createReplayPace } from "./replay-pace.js";

/** Replays that are sent nothing, whose names are kept in the order in which they began. */
function recorder(pace: ReturnType<typeof createReplayPace>) {
  const begun: string[] = [];
  const run = (userId: string, name: string, { bytes = 0, until = Promise.resolve() } = {}) =>
    pace.run(
      userId,
      async () => {
        begun.push(name);
        await until;
      },
      () => bytes,
    );
  return { begun, run };
}

describe("the pace of replays", () => {
  test("the pace of replays makes a user wait after large replays, and no other", async () => {
    const { begun, run } = recorder(createReplayPace({ bytesPerSecond: 1 }));
    await run("ann", "first", { bytes: 1_000_000 });
    void run("ann", "too early");
    await run("bob", "another's", { bytes: 1 });
    await run("eve", "a third's");
    expect(begun).toEqual(["first", "another's", "a third's"]);
  });

  test("the pace of replays lets a user go on after the rest, the newest first", async () => {
    const { begun, run } = recorder(createReplayPace({ bytesPerSecond: 1_000_000 }));
    await run("ann", "first", { bytes: 100_000 });
    await Promise.all([run("ann", "older"), run("ann", "newer"), run("ann", "newest")]);
    expect(begun).toEqual(["first", "newest", "newer", "older"]);
  });

  test("the pace of replays does not delay who was sent nothing, nor several at once up to the limit", async () => {
    const { begun, run } = recorder(createReplayPace({ bytesPerSecond: 1 }));
    const held = createGate();
    const names = Array.from({ length: replaysAtOnceMax + 1 }, (_, index) => `${index}`);
    const running = names.map((name) => run("ann", name, { until: held.opened }));
    await run("bob", "another's");
    expect(begun).toEqual([...names.slice(0, -1), "another's"]);
    held.open();
    await Promise.all(running);
    await run("ann", "again");
    expect(begun.slice(-2)).toEqual([names.at(-1), "again"]);
  });

  test("the pace of replays goes on after a failure", async () => {
    const pace = createReplayPace();
    const fail = () => Promise.reject(new Error("no stream"));
    await expect(pace.run("ann", fail, () => 0)).rejects.toThrow("no stream");
    expect(
      await pace.run(
        "ann",
        async () => "continued",
        () => 0,
      ),
    ).toBe("continued");
  });
});
