import { beforeEach, describe, expect, test } from "vitest";
import { interactionSlots } from "../bots/limits.js";
import { deliverySlots } from "../webhooks/limits.js";
import { AttemptScheduler, type ScheduledJob } from "./attempt-scheduler.js";
import { quickAnswerMs, requeueMaxMs, requeueMinMs, waitingBytesMax } from "./limits.js";

interface Job extends ScheduledJob {
  n: number;
}

describe.each([
  ["deliveries", deliverySlots],
  ["interactions", interactionSlots],
] as const)("the scheduler of %s", (_, limits) => {
  const { atOnceMax, perReceiverMax, slowMax, untrustedMax, waitingMaxMs } = limits;
  let now: number;
  let begun: Job[];
  let requeued: { job: Job; delayMs: number }[];
  let scheduler: AttemptScheduler<Job>;

  beforeEach(() => {
    now = 1_000;
    begun = [];
    requeued = [];
    scheduler = new AttemptScheduler<Job>({
      limits,
      begin: (job) => begun.push(job),
      requeue: (job, delayMs) => requeued.push({ job, delayMs }),
      now: () => now,
    });
  });

  let count = 0;
  const submit = (receiverId: string, jobs: number, byteLength = 1_000) => {
    for (let n = 0; n < jobs; n += 1) {
      count += 1;
      // Each receiver has an owner of its own; shares of owners are in attempt-shares.test.ts.
      scheduler.submit({ receiverId, ownerId: `owner of ${receiverId}`, n: count, body: { byteLength } });
    }
  };
  const begunOf = (receiverId: string) => begun.filter((job) => job.receiverId === receiverId);
  const requeuedOf = (receiverId: string) => requeued.filter(({ job }) => job.receiverId === receiverId);
  /** Lets the receiver answer one job in that time. */
  const answer = (receiverId: string, durationMs: number) => {
    submit(receiverId, 1);
    const job = begun.at(-1);
    if (job !== undefined) scheduler.done(job, durationMs);
  };

  describe("one receiver", () => {
    test("one receiver has few attempts under way, and the next begins, in order, when one is done", () => {
      submit("a", perReceiverMax + 2);
      expect(begun).toHaveLength(perReceiverMax);
      expect(scheduler.waiting).toBe(2);
      const [first, second] = begun;
      for (const job of [first, second]) if (job !== undefined) scheduler.done(job, 10);
      expect(begun.map(({ n }) => n)).toEqual([...begun].map(({ n }) => n).sort((a, b) => a - b));
      expect(begun).toHaveLength(perReceiverMax + 2);
      expect(scheduler.waiting).toBe(0);
    });

    test("can have the whole queue of 10,000 ordinary jobs wait here", () => {
      submit("a", 10_000);
      expect(requeued).toEqual([]);
      expect(scheduler.waiting).toBe(10_000 - perReceiverMax);
    });
  });

  describe("many receivers", () => {
    const full = (prefix: string) => Array.from({ length: atOnceMax / perReceiverMax }, (_, n) => `${prefix}-${n}`);

    test("receivers that are unknown leave slots for those known to be quick", () => {
      answer("quick", 20);
      for (let receiver = 0; receiver < 1_000; receiver += 1) submit(`dead-${receiver}`, perReceiverMax);
      expect(scheduler.running).toBe(untrustedMax);
      submit("quick", 2);
      expect(begunOf("quick")).toHaveLength(3);
    });

    test("receivers that are known to be slow leave slots for those that nothing is known of", () => {
      for (let receiver = 0; receiver < 1_000; receiver += 1) answer(`slow-${receiver}`, 10_000);
      for (let receiver = 0; receiver < 1_000; receiver += 1) submit(`slow-${receiver}`, 1);
      expect(scheduler.running).toBe(slowMax);
      submit("new", 1);
      expect(begunOf("new")).toHaveLength(1);
    });

    test("receivers that are slow, or hang just now, get none of the slots for quick and unknown ones", () => {
      for (const receiver of ["slow", "stuck"]) answer(receiver, receiver === "slow" ? quickAnswerMs + 1 : 10);
      submit("stuck", 1);
      for (let receiver = 0; receiver < 1_000; receiver += 1) submit(`dead-${receiver}`, 1);
      now += quickAnswerMs + 1;
      begun = [];
      for (const receiver of ["slow", "stuck"]) submit(receiver, 1);
      expect(begun).toEqual([]);
    });

    test("never have more attempts under way than there are slots", () => {
      for (const receiver of [...full("a"), ...full("b")]) answer(receiver, 10);
      for (const receiver of [...full("a"), ...full("b")]) submit(receiver, perReceiverMax);
      expect(scheduler.running).toBe(atOnceMax);
    });

    test("take turns for a free slot", () => {
      for (const receiver of ["a", "b", "c", ...full("full")]) answer(receiver, 10);
      for (const receiver of full("full")) submit(receiver, perReceiverMax);
      const occupants = begun.slice(-6);
      begun = [];
      for (const receiver of ["a", "b", "c"]) submit(receiver, 2);
      expect(begun).toEqual([]);
      for (const job of occupants) scheduler.done(job, 10);
      expect(begun.map(({ receiverId }) => receiverId)).toEqual(["a", "b", "c", "a", "b", "c"]);
      expect(scheduler.waiting).toBe(0);
    });

    test("receivers with large jobs are bounded by bytes: those with most give way, one with few still waits", () => {
      const byteLength = 30_000;
      for (let receiver = 0; receiver < 100; receiver += 1) submit(`dead-${receiver}`, 100, byteLength);
      expect(scheduler.waiting * byteLength).toBeLessThanOrEqual(waitingBytesMax);
      expect(scheduler.running + scheduler.waiting + requeued.length).toBe(10_000);
      submit("modest", 5, byteLength);
      expect(requeuedOf("modest")).toEqual([]);
      expect(requeued.every(({ delayMs }) => delayMs >= requeueMinMs && delayMs <= requeueMaxMs)).toBe(true);
    });
  });

  test("a job that waited for long goes back to the queue", () => {
    submit("a", perReceiverMax + 3);
    now += waitingMaxMs;
    submit("a", 1);
    scheduler.expireWaiting();
    expect(requeued).toHaveLength(3);
    expect(scheduler.waiting).toBe(1);
    expect(scheduler.running).toBe(perReceiverMax);
  });

  test("when the process stops, whatever waits goes back at once", () => {
    submit("a", perReceiverMax + 3);
    submit("b", 1);
    scheduler.requeueWaiting();
    expect(requeued.map(({ delayMs }) => delayMs)).toEqual([0, 0, 0]);
    expect(scheduler.waiting).toBe(0);
  });
});
