import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { AwayRule } from "./automatic-away.js";
import type { PresenceStatus } from "./generated/index.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** An account whose server announces every status that is set. */
function account(first: PresenceStatus = "online") {
  const set: PresenceStatus[] = [];
  const rule = new AwayRule(1_000, async (status) => {
    set.push(status);
    return status;
  });
  rule.begun(first);
  return { rule, set };
}

test("without activity an account is away after the time, and online with the next activity", () => {
  const { rule, set } = account();
  vi.advanceTimersByTime(999);
  rule.active();
  vi.advanceTimersByTime(999);
  expect(set).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(set).toEqual(["away"]);
  rule.heard("away");
  vi.advanceTimersByTime(5_000);
  rule.active();
  rule.active();
  expect(set).toEqual(["away", "online"]);
  rule.heard("online");
  rule.idle();
  expect(set).toEqual(["away", "online", "away"]);
  rule.close();
});

test.each<[string, (rule: AwayRule) => void]>([
  ["here", (rule) => rule.chosen()],
  ["on another device", (rule) => rule.heard("dnd")],
])("a status that was chosen %s meanwhile stays", (_where, choose) => {
  const { rule, set } = account();
  rule.idle();
  rule.heard("away");
  choose(rule);
  rule.active();
  expect(set).toEqual(["away"]);
  rule.close();
});

test.each<PresenceStatus>(["dnd", "offline", "away"])("an account that is %s stays so", (status) => {
  const { rule, set } = account(status);
  rule.idle();
  vi.advanceTimersByTime(5_000);
  rule.active();
  expect(set).toEqual([]);
  rule.close();
});

test("an event from before the automatic status does not count as a choice", () => {
  const { rule, set } = account();
  rule.idle();
  rule.heard("online");
  rule.heard("away");
  rule.active();
  expect(set).toEqual(["away", "online"]);
  rule.close();
});

test("whoever is away when a new connection makes the account online is away again", () => {
  const { rule, set } = account();
  rule.idle();
  rule.heard("away");
  rule.begun("online");
  expect(set).toEqual(["away", "away"]);
  rule.active();
  expect(set).toEqual(["away", "away", "online"]);
  rule.close();
});

test("a status that could not be set is set after the next time without activity", async () => {
  const set: PresenceStatus[] = [];
  const rule = new AwayRule(1_000, async (status) => {
    set.push(status);
    throw new Error("no network");
  });
  rule.begun("online");
  rule.idle();
  await vi.advanceTimersByTimeAsync(0);
  rule.active();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(set).toEqual(["away", "away"]);
  rule.close();
});
