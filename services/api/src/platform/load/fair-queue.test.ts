import { expect, test, vi } from "vitest";
import { FairQueue, tenantCoolDownMaxMs } from "./fair-queue.js";

const limits = { runningMax: 2, waitingMax: 100, waitingPerTenantMax: 3, waitMaxMs: 60_000 };

/** Work that runs until it is ended by its name, and the names in the order in which they began. */
function controlled(queue: FairQueue) {
  const began: string[] = [];
  const ends = new Map<string, () => void>();
  const start = (userId: string, name: string) =>
    queue.run(userId, () => {
      began.push(name);
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
    });
  return { began, start, end: (name: string) => ends.get(name)?.() };
}

test("no more than the bound run at a time, and users take turns", async () => {
  const { began, start, end } = controlled(new FairQueue(limits));
  const all = [...["a1", "a2", "a3", "a4", "a5"].map((name) => start("a", name)), start("b", "b1"), start("c", "c1")];
  await Promise.resolve();
  expect(began).toEqual(["a1", "a2"]);
  for (const [index, next] of ["a3", "b1", "c1", "a4", "a5"].entries()) {
    end(began[index] ?? "");
    await expect.poll(() => began.at(-1)).toBe(next);
  }
  for (const name of began) end(name);
  expect(await Promise.all(all)).toEqual(["a1", "a2", "a3", "a4", "a5", "b1", "c1"]);
});

test("no user has more running tasks than the limit, whatever other users wait", async () => {
  const { began, start, end } = controlled(new FairQueue({ ...limits, runningMax: 3, runningPerTenantMax: 1 }));
  const all = [
    start("a", "a1"),
    start("a", "a2"),
    start("b", "b1"),
    start("b", "b2"),
    start("c", "c1"),
    start("d", "d1"),
  ];
  await Promise.resolve();
  expect(began).toEqual(["a1", "b1", "c1"]);
  for (const [ended, next] of [
    ["b1", "b2"],
    ["c1", "d1"],
    ["a1", "a2"],
  ] as const) {
    end(ended);
    await expect.poll(() => began.at(-1)).toBe(next);
  }
  for (const name of began) end(name);
  expect(await Promise.all(all)).toEqual(["a1", "a2", "b1", "b2", "c1", "d1"]);
});

test("a tenant cools down for as long as a task took, others take the slot meanwhile", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "performance"] });
  try {
    const { began, start, end } = controlled(new FairQueue({ ...limits, runningMax: 1, coolDownFactor: 1 }));
    const all = [start("a", "a1"), start("a", "a2"), start("b", "b1")];
    await vi.advanceTimersByTimeAsync(100);
    end("a1");
    await vi.advanceTimersByTimeAsync(10);
    end("b1");
    await vi.advanceTimersByTimeAsync(89);
    expect(began).toEqual(["a1", "b1"]);
    await vi.advanceTimersByTimeAsync(1);
    expect(began).toEqual(["a1", "b1", "a2"]);
    await vi.advanceTimersByTimeAsync(3 * tenantCoolDownMaxMs);
    end("a2");
    all.push(start("a", "a3"));
    await vi.advanceTimersByTimeAsync(tenantCoolDownMaxMs);
    expect(began.at(-1)).toBe("a3");
    end("a3");
    await vi.advanceTimersByTimeAsync(tenantCoolDownMaxMs);
    expect(await Promise.all(all)).toEqual(["a1", "a2", "b1", "a3"]);
  } finally {
    vi.useRealTimers();
  }
});

test("a failure frees its slot for the next task", async () => {
  const queue = new FairQueue({ ...limits, runningMax: 1 });
  const failing = queue.run("a", () => Promise.reject(new Error("failed")));
  const next = queue.run("a", () => Promise.resolve("next"));
  await expect(failing).rejects.toThrow("failed");
  expect(await next).toBe("next");
});

test("a tenant with too many waiting tasks is rejected, and others are not", async () => {
  const { start, end, began } = controlled(new FairQueue(limits));
  const names = ["a1", "a2", "a3", "a4", "a5"];
  const all = names.map((name) => start("a", name));
  await expect(start("a", "a6")).rejects.toMatchObject({
    kind: "rate_limited",
    message: "Too many requests",
    retryAfterSeconds: 1,
  });
  all.push(start("b", "b1"));
  for (let done = 0; done < all.length; done += 1) {
    await expect.poll(() => began.length).toBeGreaterThan(done);
    end(began[done] ?? "");
  }
  expect(await Promise.all(all)).toEqual([...names, "b1"]);
});

test("a task that waits too long is rejected and takes no slot afterwards", async () => {
  const { start, end, began } = controlled(new FairQueue({ ...limits, runningMax: 1, waitMaxMs: 1 }));
  const first = start("a", "a1");
  await expect(start("b", "b1")).rejects.toMatchObject({ kind: "rate_limited" });
  end("a1");
  await first;
  const last = start("b", "b2");
  await expect.poll(() => began).toEqual(["a1", "b2"]);
  end("b2");
  expect(await last).toBe("b2");
});
