import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { within } from "./within.js";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const never = new Promise<string>(() => undefined);

describe("within", () => {
  test("within returns the result of work that is done in time, and leaves no timer", async () => {
    expect(await within(Promise.resolve("done"), 1_000, () => "late")).toBe("done");
    expect(vi.getTimerCount()).toBe(0);
  });

  test("within passes the failure of the work on, and leaves no timer", async () => {
    await expect(within(Promise.reject(new Error("broken")), 1_000, () => "late")).rejects.toThrow("broken");
    expect(vi.getTimerCount()).toBe(0);
  });

  test("within returns the replacement when the time limit has passed, not before", async () => {
    let outcome: string | undefined;
    const waiting = within(never, 1_000, () => "late").then((result) => {
      outcome = result;
    });
    await vi.advanceTimersByTimeAsync(999);
    expect(outcome).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    await waiting;
    expect(outcome).toBe("late");
  });

  test("within fails with what the replacement throws", async () => {
    const waiting = within(never, 1_000, () => {
      throw new Error("no answer");
    });
    const failure = expect(waiting).rejects.toThrow("no answer");
    await vi.advanceTimersByTimeAsync(1_000);
    await failure;
  });

  test("within ignores a failure after the time", async () => {
    let fail = (_error: Error) => {};
    const work = new Promise<string>((_, reject) => {
      fail = reject;
    });
    const waiting = within(work, 1_000, () => "late");
    await vi.advanceTimersByTimeAsync(1_000);
    fail(new Error("too late to matter"));
    expect(await waiting).toBe("late");
  });
});
