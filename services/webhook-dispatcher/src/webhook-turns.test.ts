import { beforeEach, describe, expect, test } from "vitest";
import {
  attemptsAtOnceMax,
  attemptsPerWebhookMax,
  jobsHeldMax,
  untrustedAttemptsMax,
  waitHereMaxMs,
} from "./limits.js";
import { WebhookTurns } from "./webhook-turns.js";

interface Job {
  webhookId: string;
  n: number;
}

let now: number;
let begun: Job[];
let parked: { job: Job; delayMs: number }[];
let turns: WebhookTurns<Job>;

beforeEach(() => {
  now = 1_000;
  begun = [];
  parked = [];
  turns = new WebhookTurns<Job>({
    begin: (job) => begun.push(job),
    park: (job, delayMs) => parked.push({ job, delayMs }),
    now: () => now,
  });
});

let count = 0;
const offer = (webhookId: string, jobs: number) => {
  for (let n = 0; n < jobs; n += 1) {
    count += 1;
    turns.offer({ webhookId, n: count });
  }
};
const begunOf = (webhookId: string) => begun.filter((job) => job.webhookId === webhookId);
/** Lets the webhook answer one job in that time. */
const answer = (webhookId: string, durationMs: number) => {
  offer(webhookId, 1);
  const job = begun.at(-1);
  if (job !== undefined) turns.done(job, durationMs);
};

describe("one webhook", () => {
  test("has few attempts under way, and the next begins, in order, when one is done", () => {
    offer("a", attemptsPerWebhookMax + 2);
    expect(begun).toHaveLength(attemptsPerWebhookMax);
    expect(turns.waiting).toBe(2);
    const [first, second] = begun;
    for (const job of [first, second]) if (job !== undefined) turns.done(job, 10);
    expect(begun.map(({ n }) => n)).toEqual([...begun].map(({ n }) => n).sort((a, b) => a - b));
    expect(begun).toHaveLength(attemptsPerWebhookMax + 2);
    expect(turns.waiting).toBe(0);
  });

  test("keeps a long queue here while it is quick, a short one when it is slow", () => {
    answer("quick", 5);
    answer("slow", 4_000);
    offer("quick", 500);
    offer("slow", 500);
    expect(parked.filter(({ job }) => job.webhookId === "quick")).toEqual([]);
    expect(parked.filter(({ job }) => job.webhookId === "slow").length).toBeGreaterThan(480);
  });

  test("gets its parked jobs back one after the other, at its own pace", () => {
    answer("slow", 4_000);
    offer("slow", 40);
    const delays = parked.map(({ delayMs }) => delayMs);
    expect(delays.slice(1).map((delay, index) => delay - (delays[index] ?? 0))).toEqual(
      Array(delays.length - 1).fill(4_000 / attemptsPerWebhookMax),
    );
  });

  test("that hangs counts as slow before its first answer", () => {
    offer("hanging", attemptsPerWebhookMax);
    now += 8_000;
    offer("hanging", 5);
    expect(turns.waiting).toBe(1);
    expect(parked).toHaveLength(4);
  });
});

describe("many webhooks", () => {
  test("that are slow or unknown leave places for those known to be quick", () => {
    answer("quick", 20);
    for (let webhook = 0; webhook < 1_000; webhook += 1) offer(`dead-${webhook}`, attemptsPerWebhookMax);
    expect(turns.running).toBe(untrustedAttemptsMax);
    begun = [];
    offer("quick", 1);
    expect(begunOf("quick")).toHaveLength(1);
  });

  test("that are dead do not fill this process: what has no place goes back at once", () => {
    for (let webhook = 0; webhook < 1_000; webhook += 1) offer(`dead-${webhook}`, 10);
    expect(turns.running + turns.waiting).toBeLessThan(jobsHeldMax);
    expect(parked.length + turns.running + turns.waiting).toBe(10_000);
  });

  test("never have more attempts under way than there are places", () => {
    for (let webhook = 0; webhook < 200; webhook += 1) answer(`quick-${webhook}`, 10);
    for (let webhook = 0; webhook < 200; webhook += 1) offer(`quick-${webhook}`, 5);
    expect(turns.running).toBe(attemptsAtOnceMax);
  });

  test("take turns for a free place", () => {
    for (const webhook of ["a", "b", "c"]) answer(webhook, 10);
    const full = Array.from({ length: attemptsAtOnceMax / attemptsPerWebhookMax }, (_, n) => `full-${n}`);
    for (const webhook of full) answer(webhook, 10);
    for (const webhook of full) offer(webhook, attemptsPerWebhookMax);
    begun = begun.slice(-attemptsAtOnceMax);
    const occupants = [...begun];
    begun = [];
    for (const webhook of ["a", "b", "c"]) offer(webhook, 2);
    expect(begun).toEqual([]);
    for (const job of occupants.slice(-6)) turns.done(job, 10);
    expect(begun.map(({ webhookId }) => webhookId)).toEqual(["a", "b", "c", "a", "b", "c"]);
  });
});

test("a job that waited longer than expected goes back to the queue", () => {
  offer("a", attemptsPerWebhookMax + 3);
  now += waitHereMaxMs;
  turns.sweep();
  expect(parked).toHaveLength(3);
  expect(turns.waiting).toBe(0);
  expect(turns.running).toBe(attemptsPerWebhookMax);
});

test("asks for no more jobs than it can hold, and goes on when one is done", async () => {
  for (let webhook = 0; webhook < 200; webhook += 1) answer(`quick-${webhook}`, 10);
  for (let webhook = 0; turns.running + turns.waiting < jobsHeldMax; webhook += 1) offer(`quick-${webhook % 200}`, 1);
  const room = turns.room();
  const [job] = begun.slice(-1);
  if (job !== undefined) turns.done(job, 10);
  expect(await room).toBe(1);
});
