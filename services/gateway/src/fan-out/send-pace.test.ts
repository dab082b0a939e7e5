import { describe, expect, test } from "vitest";
import { comemberSendsBurst, comemberSendsPerMs, comemberWindowMaxMs } from "../limits.js";
import { SendPace } from "./send-pace.js";

describe("the pace of frames to co-members", () => {
  test("the pace of frames to co-members does not wait for a change of each of 100 members to all others at once", () => {
    const pace = new SendPace();
    for (let change = 0; change < 100; change += 1) {
      expect(pace.waitMs(1_000)).toBe(0);
      pace.count(99, 1_000);
    }
    expect(pace.waitMs(1_000)).toBe(0);
  });

  test("the pace of frames to co-members waits as long as the rate needs to catch up", () => {
    const pace = new SendPace();
    pace.count(comemberSendsBurst + 100 * comemberSendsPerMs, 1_000);
    expect(pace.waitMs(1_000)).toBe(100);
    expect(pace.waitMs(1_060)).toBe(40);
    expect(pace.waitMs(1_100)).toBe(0);
    expect(pace.waitMs(9_000)).toBe(0);
  });

  test("the pace of frames to co-members waits no longer than its limit, whatever was sent", () => {
    const pace = new SendPace();
    for (let n = 0; n < 10; n += 1) pace.count(1_000_000, 1_000);
    expect(pace.waitMs(1_000)).toBe(comemberWindowMaxMs);
  });
});
