import { createGate } from "@parley/testing";
import { describe, expect, test } from "vitest";
import { SerialQueue } from "./serial-queue.js";

function createQueue(tasksMax = 100) {
  const failures: unknown[] = [];
  const overflows: string[] = [];
  const queue = new SerialQueue(
    tasksMax,
    () => overflows.push("overflow"),
    (error) => failures.push(error),
  );
  return { queue, failures, overflows };
}

describe("a serial queue", () => {
  test("a serial queue runs at once while nothing waits", () => {
    const { queue } = createQueue();
    const done: number[] = [];
    queue.add(() => void done.push(1));
    expect(done).toEqual([1]);
  });

  test("a serial queue keeps the order behind a task that takes time", async () => {
    const { queue } = createQueue();
    const done: string[] = [];
    const gate = createGate();
    queue.add(() => gate.opened.then(() => void done.push("slow")));
    queue.add(() => void done.push("second"));
    queue.add(() => new Promise((settle) => setImmediate(settle)).then(() => void done.push("third")));
    queue.add(() => void done.push("fourth"));
    expect(done).toEqual([]);
    gate.open();
    await new Promise<void>((finish) => queue.add(finish));
    expect(done).toEqual(["slow", "second", "third", "fourth"]);
  });

  test("a serial queue repeats a task that rejects, before anything behind it", async () => {
    const { queue, failures } = createQueue();
    const done: string[] = [];
    let attempts = 0;
    queue.add(async () => {
      attempts += 1;
      if (attempts === 1) throw new Error("no database");
      done.push("first");
    });
    await new Promise<void>((finish) =>
      queue.add(() => {
        done.push("second");
        finish();
      }),
    );
    expect(done).toEqual(["first", "second"]);
    expect(failures).toHaveLength(1);
  });

  test("a serial queue drops a task that throws and goes on", () => {
    const { queue, failures } = createQueue();
    const done: string[] = [];
    queue.add(() => {
      throw new Error("not an event");
    });
    queue.add(() => void done.push("next"));
    expect(failures).toHaveLength(1);
    expect(done).toEqual(["next"]);
  });

  test("a serial queue reports an overflow and drops the task when it is full", async () => {
    const { queue, overflows } = createQueue(2);
    const gate = createGate();
    let ran = 0;
    const count = () => {
      ran += 1;
    };
    queue.add(() => gate.opened);
    for (const task of [count, count, count]) queue.add(task);
    expect(overflows).toEqual(["overflow"]);
    gate.open();
    await gate.opened;
    await new Promise((settle) => setImmediate(settle));
    expect(ran).toBe(2);
  });

  test("a serial queue runs nothing any more once closed", async () => {
    const { queue } = createQueue();
    const gate = createGate();
    let ran = 0;
    const count = () => {
      ran += 1;
    };
    queue.add(() => gate.opened);
    queue.add(count);
    queue.close();
    gate.open();
    await gate.opened;
    await new Promise((settle) => setImmediate(settle));
    queue.add(count);
    expect(ran).toBe(0);
  });
});
