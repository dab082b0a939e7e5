import { describe, expect, it } from "vitest";
import { Lane } from "./lane.js";

function createLane(tasksMax = 100) {
  const failures: unknown[] = [];
  const overflows: string[] = [];
  const lane = new Lane(
    tasksMax,
    () => overflows.push("overflow"),
    (error) => failures.push(error),
  );
  return { lane, failures, overflows };
}

describe("lane", () => {
  it("runs at once while nothing waits", () => {
    const { lane } = createLane();
    const done: number[] = [];
    lane.add(() => void done.push(1));
    expect(done).toEqual([1]);
  });

  it("keeps the order behind a task that takes time", async () => {
    const { lane } = createLane();
    const done: string[] = [];
    const { promise, resolve } = withResolver();
    lane.add(() => promise.then(() => void done.push("slow")));
    lane.add(() => void done.push("second"));
    lane.add(() => new Promise((settle) => setImmediate(settle)).then(() => void done.push("third")));
    lane.add(() => void done.push("fourth"));
    expect(done).toEqual([]);
    resolve();
    await new Promise<void>((finish) => lane.add(finish));
    expect(done).toEqual(["slow", "second", "third", "fourth"]);
  });

  it("repeats a task that rejects, before anything behind it", async () => {
    const { lane, failures } = createLane();
    const done: string[] = [];
    let attempts = 0;
    lane.add(async () => {
      attempts += 1;
      if (attempts === 1) throw new Error("no database");
      done.push("first");
    });
    await new Promise<void>((finish) =>
      lane.add(() => {
        done.push("second");
        finish();
      }),
    );
    expect(done).toEqual(["first", "second"]);
    expect(failures).toHaveLength(1);
  });

  it("drops a task that throws and goes on", () => {
    const { lane, failures } = createLane();
    const done: string[] = [];
    lane.add(() => {
      throw new Error("not an event");
    });
    lane.add(() => void done.push("next"));
    expect(failures).toHaveLength(1);
    expect(done).toEqual(["next"]);
  });

  it("tells when more waits than it may hold, and holds no more", async () => {
    const { lane, overflows } = createLane(2);
    const { promise, resolve } = withResolver();
    let ran = 0;
    const count = () => {
      ran += 1;
    };
    lane.add(() => promise);
    for (const task of [count, count, count]) lane.add(task);
    expect(overflows).toEqual(["overflow"]);
    resolve();
    await promise;
    await new Promise((settle) => setImmediate(settle));
    expect(ran).toBe(2);
  });

  it("runs nothing any more once closed", async () => {
    const { lane } = createLane();
    const { promise, resolve } = withResolver();
    let ran = 0;
    const count = () => {
      ran += 1;
    };
    lane.add(() => promise);
    lane.add(count);
    lane.close();
    resolve();
    await promise;
    await new Promise((settle) => setImmediate(settle));
    lane.add(count);
    expect(ran).toBe(0);
  });
});

function withResolver() {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
