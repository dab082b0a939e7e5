import { expect, test } from "vitest";
import { attemptTimeoutMs } from "../attempts/limits.js";
import { pushServicePauseMaxMs, pushServicePauseMs } from "./limits.js";
import { ServicePauses } from "./service-pauses.js";

const origin = "https://push.example";

function stage() {
  const clock = { now: 0 };
  const pauses = new ServicePauses(() => clock.now);
  const hang = (durationMs = attemptTimeoutMs) => pauses.ended(origin, { isAnswered: false, durationMs });
  const take = () => pauses.ended(origin, { isAnswered: true, durationMs: 10 });
  return { clock, pauses, hang, take, left: () => pauses.leftMs(origin) };
}

test("a push service that hangs has a pause, twice as long each further time, until it answers", () => {
  const { clock, pauses, hang, take, left } = stage();
  for (const pauseMs of [5_000, 10_000, 20_000, 40_000, pushServicePauseMaxMs, pushServicePauseMaxMs]) {
    clock.now += attemptTimeoutMs + 1;
    hang();
    expect(left()).toBe(pauseMs);
    expect(pauses.count).toBe(1);
    clock.now += pauseMs;
    expect(left()).toBe(0);
  }
  take();
  clock.now += attemptTimeoutMs + 1;
  hang();
  expect(left()).toBe(pushServicePauseMs);
  take();
  expect(left()).toBeLessThanOrEqual(0);
  expect(pauses.count).toBe(0);
});

test("of attempts that hang at the same time the first one alone makes a pause", () => {
  const { clock, hang, left } = stage();
  for (let n = 0; n < 100; n += 1) hang();
  clock.now += 1_000;
  hang();
  expect(left()).toBe(pushServicePauseMs - 1_000);
});

test("one attempt that hangs is no pause of a push service that answered meanwhile, nor is a quick failure", () => {
  const { clock, hang, take, left } = stage();
  take();
  hang();
  expect(left()).toBeLessThanOrEqual(0);
  clock.now += attemptTimeoutMs * 2;
  hang(100);
  expect(left()).toBeLessThanOrEqual(0);
});
