import { beforeEach, describe, expect, test } from "vitest";
import {
  attemptsAtOnceMax,
  attemptsPerWebhookMax,
  quickAnswerMs,
  requeueMaxMs,
  requeueMinMs,
  slowAttemptsMax,
  untrustedAttemptsMax,
  waitingBytesMax,
  waitingMaxMs,
} from "./limits.js";
import { type ScheduledJob, WebhookScheduler } from "./webhook-scheduler.js";

interface Job extends ScheduledJob {
  n: number;
}

let now: number;
let begun: Job[];
let requeued: { job: Job; delayMs: number }[];
let scheduler: WebhookScheduler<Job>;

beforeEach(() => {
  now = 1_000;
  begun = [];
  requeued = [];
  scheduler = new WebhookScheduler<Job>({
    begin: (job) => begun.push(job),
    requeue: (job, delayMs) => requeued.push({ job, delayMs }),
    now: () => now,
  });
});

let count = 0;
const submit = (webhookId: string, jobs: number, byteLength = 1_000) => {
  for (let n = 0; n < jobs; n += 1) {
    count += 1;
    scheduler.submit({ webhookId, n: count, body: { byteLength } });
  }
};
const begunOf = (webhookId: string) => begun.filter((job) => job.webhookId === webhookId);
const requeuedOf = (webhookId: string) => requeued.filter(({ job }) => job.webhookId === webhookId);
/** Lets the webhook answer one job in that time. */
const answer = (webhookId: string, durationMs: number) => {
  submit(webhookId, 1);
  const job = begun.at(-1);
  if (job !== undefined) scheduler.done(job, durationMs);
};

describe("one webhook", () => {
  test("one webhook has few attempts under way, and the next begins, in order, when one is done", () => {
    submit("a", attemptsPerWebhookMax + 2);
    expect(begun).toHaveLength(attemptsPerWebhookMax);
    expect(scheduler.waiting).toBe(2);
    const [first, second] = begun;
    for (const job of [first, second]) if (job !== undefined) scheduler.done(job, 10);
    expect(begun.map(({ n }) => n)).toEqual([...begun].map(({ n }) => n).sort((a, b) => a - b));
    expect(begun).toHaveLength(attemptsPerWebhookMax + 2);
    expect(scheduler.waiting).toBe(0);
  });

  test("can have the whole queue of 10,000 ordinary jobs wait here", () => {
    submit("a", 10_000);
    expect(requeued).toEqual([]);
    expect(scheduler.waiting).toBe(10_000 - attemptsPerWebhookMax);
  });
});

describe("many webhooks", () => {
  const full = (prefix: string) =>
    Array.from({ length: attemptsAtOnceMax / attemptsPerWebhookMax }, (_, n) => `${prefix}-${n}`);

  test("webhooks that are unknown leave slots for those known to be quick", () => {
    answer("quick", 20);
    for (let webhook = 0; webhook < 1_000; webhook += 1) submit(`dead-${webhook}`, attemptsPerWebhookMax);
    expect(scheduler.running).toBe(untrustedAttemptsMax);
    submit("quick", 2);
    expect(begunOf("quick")).toHaveLength(3);
  });

  test("webhooks that are known to be slow leave slots for those that nothing is known of", () => {
    for (let webhook = 0; webhook < 1_000; webhook += 1) answer(`slow-${webhook}`, 10_000);
    for (let webhook = 0; webhook < 1_000; webhook += 1) submit(`slow-${webhook}`, 1);
    expect(scheduler.running).toBe(slowAttemptsMax);
    submit("new", 1);
    expect(begunOf("new")).toHaveLength(1);
  });

  test("webhooks that are slow, or hang just now, get none of the slots for quick and unknown ones", () => {
    for (const webhook of ["slow", "stuck"]) answer(webhook, webhook === "slow" ? quickAnswerMs + 1 : 10);
    submit("stuck", 1);
    for (let webhook = 0; webhook < 1_000; webhook += 1) submit(`dead-${webhook}`, 1);
    now += quickAnswerMs + 1;
    begun = [];
    for (const webhook of ["slow", "stuck"]) submit(webhook, 1);
    expect(begun).toEqual([]);
  });

  test("never have more attempts under way than there are slots", () => {
    for (const webhook of [...full("a"), ...full("b")]) answer(webhook, 10);
    for (const webhook of [...full("a"), ...full("b")]) submit(webhook, attemptsPerWebhookMax);
    expect(scheduler.running).toBe(attemptsAtOnceMax);
  });

  test("take turns for a free slot", () => {
    for (const webhook of ["a", "b", "c", ...full("full")]) answer(webhook, 10);
    for (const webhook of full("full")) submit(webhook, attemptsPerWebhookMax);
    const occupants = begun.slice(-6);
    begun = [];
    for (const webhook of ["a", "b", "c"]) submit(webhook, 2);
    expect(begun).toEqual([]);
    for (const job of occupants) scheduler.done(job, 10);
    expect(begun.map(({ webhookId }) => webhookId)).toEqual(["a", "b", "c", "a", "b", "c"]);
    expect(scheduler.waiting).toBe(0);
  });

  test("webhooks with large jobs are bounded by bytes: those with most give way, one with few still waits", () => {
    const byteLength = 30_000;
    for (let webhook = 0; webhook < 100; webhook += 1) submit(`dead-${webhook}`, 100, byteLength);
    expect(scheduler.waiting * byteLength).toBeLessThanOrEqual(waitingBytesMax);
    expect(scheduler.running + scheduler.waiting + requeued.length).toBe(10_000);
    submit("modest", attemptsPerWebhookMax + 1, byteLength);
    expect(requeuedOf("modest")).toEqual([]);
    expect(requeued.every(({ delayMs }) => delayMs >= requeueMinMs && delayMs <= requeueMaxMs)).toBe(true);
  });
});

test("a job that waited for long goes back to the queue", () => {
  submit("a", attemptsPerWebhookMax + 3);
  now += waitingMaxMs;
  submit("a", 1);
  scheduler.expireWaiting();
  expect(requeued).toHaveLength(3);
  expect(scheduler.waiting).toBe(1);
  expect(scheduler.running).toBe(attemptsPerWebhookMax);
});

test("when the process stops, whatever waits goes back at once", () => {
  submit("a", attemptsPerWebhookMax + 3);
  submit("b", 1);
  scheduler.requeueWaiting();
  expect(requeued.map(({ delayMs }) => delayMs)).toEqual([0, 0, 0]);
  expect(scheduler.waiting).toBe(0);
});
