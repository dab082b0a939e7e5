import { describe, expect, test } from "vitest";
import { FairQueue } from "../../load/fair-queue.js";
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
  return { fetch, leave, occupied, fetches: () => fetches };
}

describe("a shared fetch", () => {
  test("takes place once, however many wait for it", async () => {
    const { fetch, leave, fetches } = startFetch({ waitingMax: 100 });
    for (let user = 0; user < 20; user += 1) fetch.join(`user ${user}`);
    leave();
    expect(await fetch.result).toBe("page");
    fetch.join("late");
    expect(fetches()).toBe(1);
  });

  test("goes on when one of its users may not wait, and fails when none may", async () => {
    const one = startFetch({ waitingMax: 1 });
    one.fetch.join("first");
    one.fetch.join("refused");
    one.leave();
    expect(await one.fetch.result).toBe("page");
    const none = startFetch({ waitingMax: 0 });
    none.fetch.join("refused");
    await expect(none.fetch.result).rejects.toMatchObject({ code: "rate_limited" });
    none.leave();
    await none.occupied;
  });
});
