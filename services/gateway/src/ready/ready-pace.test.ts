import { describe, expect, test } from "vitest";
import { readySlowUsersMax } from "../limits.js";
import { ReadyPace } from "./ready-pace.js";

const [quick, slow] = [499, 500];

describe("the pace of READY", () => {
  test("the pace of READY calls slow who was slow alone, and suspect who was slow together with others, until they are quick", () => {
    const pace = new ReadyPace(500);
    const seen = (tookMs: number, isAlone: boolean) => {
      pace.remember("a", { tookMs, isAlone });
      return [pace.isSuspect("a"), pace.isSlow("a")];
    };
    expect(seen(quick, false)).toEqual([false, false]);
    expect(seen(slow, false)).toEqual([true, false]);
    expect(seen(slow, true)).toEqual([false, true]);
    expect(seen(quick, true)).toEqual([false, false]);
    expect(seen(slow, false)).toEqual([true, false]);
    expect(seen(quick, true)).toEqual([false, false]);
  });

  test("the pace of READY forgets the oldest of too many", () => {
    const pace = new ReadyPace(500);
    for (let user = 0; user <= readySlowUsersMax; user += 1) pace.remember(`u${user}`, { tookMs: slow, isAlone: true });
    expect([pace.isSlow("u0"), pace.isSlow("u1")]).toEqual([false, true]);
  });
});
