import { expect, test } from "vitest";
import type { EmojiUse } from "../../device/schemas.js";
import { atHand, withUse } from "./emoji-settings.js";

const dayMs = 24 * 60 * 60 * 1000;

/** The emoji that somebody has used, on the days given with them. */
const after = (...used: readonly (readonly [sign: string, day: number])[]) =>
  used.reduce<EmojiUse[]>((uses, [sign, day]) => withUse(uses, sign, day * dayMs), []);
const signs = (uses: readonly EmojiUse[]) => uses.map(({ sign }) => sign);

test("the emoji that was used last comes first, unless another one is used much more", () => {
  expect(signs(after(["🎉", 1], ["🔥", 1]))).toEqual(["🔥", "🎉"]);
  expect(signs(after(["🎉", 1], ["🎉", 1], ["🔥", 1]))).toEqual(["🎉", "🔥"]);
  expect(signs(after(["🎉", 1], ["🎉", 1], ["🔥", 30]))).toEqual(["🔥", "🎉"]);
});

test("as many emoji are remembered as have a place, and a new one always is", () => {
  const twice = Array.from({ length: 140 }, (_, index) => [`c:${Math.floor(index / 2)}`, 1] as const);
  const uses = after(...twice, ["🎉", 1]);
  expect(uses).toHaveLength(60);
  expect(uses.at(-1)?.sign).toBe("🎉");
});

test("at hand are the most used emoji that can be used here, and then usual ones", () => {
  const uses = after(["😂", 1], ["c:elsewhere", 1], ["👍🏻", 1], ["👍🏻", 1]);
  expect(atHand(uses, 3, (sign) => sign !== "c:elsewhere")).toEqual(["👍🏻", "😂", "❤️"]);
  expect(atHand([], 2, () => true)).toEqual(["👍🏻", "❤️"]);
});
