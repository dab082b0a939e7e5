import { createRandom, modelSteps, seed } from "@parley/testing";
import { describe, expect, test } from "vitest";
import { interactionSlots } from "../bots/limits.js";
import { pushSlots } from "../push/limits.js";
import { deliverySlots } from "../webhooks/limits.js";
import { AttemptScheduler, type ScheduledJob } from "./attempt-scheduler.js";
import { quickAnswerMs, type SchedulerLimits, waitingBytesMax } from "./limits.js";

interface Job extends ScheduledJob {
  readonly body: { byteLength: number };
}

function stage(limits: SchedulerLimits) {
  const clock = { now: 1_000 };
  const running = new Set<Job>();
  const requeued: Job[] = [];
  const scheduler = new AttemptScheduler<Job>({
    limits,
    begin: (job) => running.add(job),
    requeue: (job) => requeued.push(job),
    now: () => clock.now,
  });
  const submit = (receiverId: string, ownerId: string, byteLength = 1_000): Job => {
    const job = { receiverId, ownerId, body: { byteLength } };
    scheduler.submit(job);
    return job;
  };
  const end = (job: Job, durationMs: number | null) => {
    running.delete(job);
    scheduler.done(job, durationMs);
  };
  /** Lets the receiver answer once. */
  const answer = (receiverId: string, durationMs: number) => end(submit(receiverId, `once ${receiverId}`), durationMs);
  const runningOf = (key: "ownerId" | "receiverId", id: string) => [...running].filter((job) => job[key] === id).length;
  return { clock, running, requeued, scheduler, submit, end, answer, runningOf };
}

describe.each([
  ["deliveries", deliverySlots],
  ["interactions", interactionSlots],
  ["pushes", pushSlots],
] as const)("of the slots of %s", (_, limits) => {
  const { atOnceMax, untrustedMax, slowMax } = limits;

  test.each([
    ["that are unknown", null, untrustedMax / 4],
    ["that are slow", 10_000, slowMax / 4],
    ["that are quick", 10, atOnceMax / 4],
  ])("an owner of a thousand receivers %s gets a quarter, and another one begins at once", (__, durationMs, share) => {
    const { answer, submit, running, runningOf } = stage(limits);
    const receivers = Array.from({ length: 1_000 }, (___, n) => `receiver ${n}`);
    if (durationMs !== null) for (const receiver of receivers) answer(receiver, durationMs);
    for (const receiver of receivers) submit(receiver, "owner of many");
    expect(runningOf("ownerId", "owner of many")).toBe(share);
    expect(running).toContain(submit("another", "other"));
  });

  test("owners take turns for free slots, however many receivers each has", () => {
    const { answer, submit, end, runningOf, running } = stage(limits);
    const receivers = Array.from({ length: atOnceMax }, (__, n) => `receiver ${n}`);
    for (const receiver of receivers) answer(receiver, 10);
    for (let owner = 0; owner < 5; owner += 1) for (const receiver of receivers) submit(receiver, `owner ${owner}`);
    expect([0, 1, 2, 3, 4].map((owner) => runningOf("ownerId", `owner ${owner}`))).toEqual([
      ...Array(4).fill(atOnceMax / 4),
      0,
    ]);
    for (const job of [...running].slice(0, 5)) end(job, 10);
    expect(runningOf("ownerId", "owner 4")).toBeGreaterThan(0);
  });

  test("an owner with many jobs of many receivers gives way to one with few, when the bytes are used up", () => {
    const { submit, requeued } = stage({ ...limits, heldMax: undefined });
    const byteLength = 100_000;
    for (let n = 0; n < 1_000; n += 1) submit(`receiver ${n}`, "owner of many", byteLength);
    const before = requeued.length;
    for (let n = 0; n < 20; n += 1) submit("another", "other", byteLength);
    expect(before).toBeGreaterThan(0);
    expect(before).toBeLessThan(1_000 - waitingBytesMax / byteLength + 100);
    expect(requeued.every(({ ownerId }) => ownerId === "owner of many")).toBe(true);
  });

  test("a random run never exceeds a share, loses no job, and leaves none waiting while its slot is free", () => {
    const random = createRandom(seed);
    const pick = (count: number) => Math.floor(random() * count);
    const { clock, running, requeued, scheduler, submit, end, runningOf } = stage(limits);
    let ended = 0;
    const steps = modelSteps(50_000);
    for (let step = 0; step < steps; step += 1) {
      clock.now += pick(20);
      const owner = pick(3) === 0 ? pick(50) : 0;
      submit(`receiver ${pick(60)} of ${pick(20) === 0 ? "all" : owner}`, `owner ${owner}`);
      if (pick(3) > 0) {
        const job = [...running][pick(running.size)];
        if (job !== undefined) {
          end(job, [10, quickAnswerMs * 2, null][pick(3)] ?? null);
          ended += 1;
        }
      }
      if (pick(200) === 0) scheduler.expireWaiting();
      expect(running.size).toBe(scheduler.running);
      expect(scheduler.running).toBeLessThanOrEqual(atOnceMax);
      expect(runningOf("ownerId", "owner 0")).toBeLessThanOrEqual(atOnceMax / 4);
      expect(scheduler.running + scheduler.waiting + requeued.length + ended).toBe(step + 1);
    }
    while (running.size > 0) for (const job of [...running]) end(job, 10);
    expect(scheduler.waiting).toBe(0);
  });
});

describe("of the pushes that a process holds", () => {
  const { heldMax = 0, untrustedMax } = pushSlots;

  test("a push service that hangs gets a quarter, for any owners, and one that is quick keeps its slots", () => {
    const { answer, submit, runningOf, requeued, scheduler } = stage(pushSlots);
    answer("quick", 10);
    for (let n = 0; n < heldMax; n += 1) submit("hangs", `owner ${n}`);
    expect(runningOf("receiverId", "hangs")).toBe(untrustedMax / 4);
    expect(scheduler.running + scheduler.waiting).toBe(heldMax / 4);
    expect(requeued).toHaveLength(heldMax - heldMax / 4);
    for (let n = 0; n < pushSlots.perReceiverMax; n += 1) submit("quick", `quick ${n}`);
    expect(runningOf("receiverId", "quick")).toBe(pushSlots.perReceiverMax);
  });

  test("a thousand push services that hang get a half, and a quick one keeps its slots", () => {
    const { answer, submit, runningOf, scheduler } = stage(pushSlots);
    answer("quick", 10);
    for (let n = 0; n < heldMax; n += 1) submit(`hangs ${n}`, `owner ${n}`);
    expect(scheduler.running + scheduler.waiting).toBe(heldMax / 2);
    for (let n = 0; n < 100; n += 1) submit("quick", `quick ${n}`);
    expect(runningOf("receiverId", "quick")).toBe(100);
  });

  test("an owner gets a quarter, also at a quick push service", () => {
    const { answer, submit, scheduler } = stage(pushSlots);
    answer("quick", 10);
    for (let n = 0; n < heldMax; n += 1) submit("quick", "owner of many");
    expect(scheduler.running + scheduler.waiting).toBe(heldMax / 4);
  });

  test("a quick push service with one hanging push stays quick as long as it answers others", () => {
    const { clock, answer, submit, runningOf } = stage(pushSlots);
    answer("quick", 10);
    submit("quick", "hanging");
    clock.now += quickAnswerMs * 2;
    answer("quick", 10);
    for (let n = 0; n < pushSlots.perReceiverMax; n += 1) submit("quick", `quick ${n}`);
    expect(runningOf("receiverId", "quick")).toBe(pushSlots.perReceiverMax);
  });
});
