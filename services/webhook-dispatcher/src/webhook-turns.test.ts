import { beforeEach, describe, expect, test } from "vitest";
import {
  attemptsAtOnceMax,
  attemptsPerWebhookMax,
  parkMaxMs,
  parkMinMs,
  quickAnswerMs,
  slowAttemptsMax,
  untrustedAttemptsMax,
  waitHereMaxMs,
  waitingBytesMax,
} from "./limits.js";
import { type TurnJob, WebhookTurns } from "./webhook-turns.js";

interface Job extends TurnJob {
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
const offer = (webhookId: string, jobs: number, byteLength = 1_000) => {
  for (let n = 0; n < jobs; n += 1) {
    count += 1;
    turns.offer({ webhookId, n: count, body: { byteLength } });
  }
};
const begunOf = (webhookId: string) => begun.filter((job) => job.webhookId === webhookId);
const parkedOf = (webhookId: string) => parked.filter(({ job }) => job.webhookId === webhookId);
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

  test("can have the whole queue of 10,000 ordinary jobs wait here", () => {
    offer("a", 10_000);
    expect(parked).toEqual([]);
    expect(turns.waiting).toBe(10_000 - attemptsPerWebhookMax);
  });
});

describe("many webhooks", () => {
  const full = (prefix: string) =>
    Array.from({ length: attemptsAtOnceMax / attemptsPerWebhookMax }, (_, n) => `${prefix}-${n}`);

  test("that are unknown leave places for those known to be quick", () => {
    answer("quick", 20);
    for (let webhook = 0; webhook < 1_000; webhook += 1) offer(`dead-${webhook}`, attemptsPerWebhookMax);
    expect(turns.running).toBe(untrustedAttemptsMax);
    offer("quick", 2);
    expect(begunOf("quick")).toHaveLength(3);
  });

  test("that are known to be slow leave places for those that nothing is known of", () => {
    for (let webhook = 0; webhook < 1_000; webhook += 1) answer(`slow-${webhook}`, 10_000);
    for (let webhook = 0; webhook < 1_000; webhook += 1) offer(`slow-${webhook}`, 1);
    expect(turns.running).toBe(slowAttemptsMax);
    offer("new", 1);
    expect(begunOf("new")).toHaveLength(1);
  });

  test("that are slow, or hang just now, get none of those places", () => {
    for (const webhook of ["slow", "stuck"]) answer(webhook, webhook === "slow" ? quickAnswerMs + 1 : 10);
    offer("stuck", 1);
    for (let webhook = 0; webhook < 1_000; webhook += 1) offer(`dead-${webhook}`, 1);
    now += quickAnswerMs + 1;
    begun = [];
    for (const webhook of ["slow", "stuck"]) offer(webhook, 1);
    expect(begun).toEqual([]);
  });

  test("never have more attempts under way than there are places", () => {
    for (const webhook of [...full("a"), ...full("b")]) answer(webhook, 10);
    for (const webhook of [...full("a"), ...full("b")]) offer(webhook, attemptsPerWebhookMax);
    expect(turns.running).toBe(attemptsAtOnceMax);
  });

  test("take turns for a free place", () => {
    for (const webhook of ["a", "b", "c", ...full("full")]) answer(webhook, 10);
    for (const webhook of full("full")) offer(webhook, attemptsPerWebhookMax);
    const occupants = begun.slice(-6);
    begun = [];
    for (const webhook of ["a", "b", "c"]) offer(webhook, 2);
    expect(begun).toEqual([]);
    for (const job of occupants) turns.done(job, 10);
    expect(begun.map(({ webhookId }) => webhookId)).toEqual(["a", "b", "c", "a", "b", "c"]);
    expect(turns.waiting).toBe(0);
  });

  test("with large jobs are bounded by bytes: those with most give way, one with few still waits", () => {
    const byteLength = 30_000;
    for (let webhook = 0; webhook < 100; webhook += 1) offer(`dead-${webhook}`, 100, byteLength);
    expect(turns.waiting * byteLength).toBeLessThanOrEqual(waitingBytesMax);
    expect(turns.running + turns.waiting + parked.length).toBe(10_000);
    offer("modest", attemptsPerWebhookMax + 1, byteLength);
    expect(parkedOf("modest")).toEqual([]);
    expect(parked.every(({ delayMs }) => delayMs >= parkMinMs && delayMs <= parkMaxMs)).toBe(true);
  });
});

test("a job that waited for long goes back to the queue", () => {
  offer("a", attemptsPerWebhookMax + 3);
  now += waitHereMaxMs;
  offer("a", 1);
  turns.sweep();
  expect(parked).toHaveLength(3);
  expect(turns.waiting).toBe(1);
  expect(turns.running).toBe(attemptsPerWebhookMax);
});

test("when the process stops, whatever waits goes back at once", () => {
  offer("a", attemptsPerWebhookMax + 3);
  offer("b", 1);
  turns.giveUpWaiting();
  expect(parked.map(({ delayMs }) => delayMs)).toEqual([0, 0, 0]);
  expect(turns.waiting).toBe(0);
});
