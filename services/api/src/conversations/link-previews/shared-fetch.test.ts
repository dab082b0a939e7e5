import { EventEmitter, once } from "node:events";
import { describe, expect, test } from "vitest";
import { FairQueue } from "../../platform/load/fair-queue.js";
import { SharedFetch } from "./shared-fetch.js";

/** A fetch of a page in a queue with one place, which is taken by somebody else until `leave` is called. */
function startFetch({ waitingMax }: { waitingMax: number }) {
  const queue = new FairQueue({ runningMax: 1, waitingMax, waitingPerTenantMax: waitingMax, waitMaxMs: 60_000 });
  let leave = () => {};
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const occupied = queue.run("somebody", () => left);
  let fetches = 0;
  const fetch = new SharedFetch(queue, async () => {
    fetches += 1;
    return "page";
  });
  const join = (user: string, signal = new AbortController().signal) => fetch.join(user, signal);
  return { fetch, join, queue, leave, occupied, fetches: () => fetches };
}

describe("a shared fetch", () => {
  test("a shared fetch takes place once, however many wait for it", async () => {
    const { fetch, join, leave, fetches } = startFetch({ waitingMax: 100 });
    for (let user = 0; user < 20; user += 1) join(`user ${user}`);
    leave();
    expect(await fetch.result).toBe("page");
    join("late");
    expect(fetches()).toBe(1);
  });

  test("a shared fetch goes on when one of its users may not wait, and fails when none may", async () => {
    const one = startFetch({ waitingMax: 1 });
    one.join("first");
    one.join("refused");
    one.leave();
    expect(await one.fetch.result).toBe("page");
    const none = startFetch({ waitingMax: 0 });
    none.join("refused");
    await expect(none.fetch.result).rejects.toMatchObject({ kind: "rate_limited" });
    none.leave();
    await none.occupied;
  });

  test("a shared fetch ends when its last request has been given up, and its users leave the queue", async () => {
    const { fetch, join, queue, leave, occupied, fetches } = startFetch({ waitingMax: 1 });
    const requests = [new AbortController(), new AbortController()];
    for (const { signal } of requests) join("first", signal);
    requests[0]?.abort(new Error("left"));
    expect(fetch.isAbandoned).toBe(false);
    requests[1]?.abort(new Error("left"));
    expect(fetch.isAbandoned).toBe(true);
    await expect(fetch.result).rejects.toThrow("left");
    const next = queue.run("second", async () => "the place in the queue is free");
    leave();
    expect(await next).toBe("the place in the queue is free");
    await occupied;
    expect(fetches()).toBe(0);
  });

  test("a shared fetch ends while the page is being fetched", async () => {
    const queue = new FairQueue({ runningMax: 1, waitingMax: 0, waitingPerTenantMax: 0, waitMaxMs: 60_000 });
    const left = new AbortController();
    const begun = new EventEmitter();
    const fetch = new SharedFetch(queue, async (signal) => {
      begun.emit("begun");
      await once(signal, "abort");
      signal.throwIfAborted();
    });
    const isBegun = once(begun, "begun");
    fetch.join("only", left.signal);
    await isBegun;
    left.abort(new Error("left"));
    await expect(fetch.result).rejects.toThrow("left");
  });
});
