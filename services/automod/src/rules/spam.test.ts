import { expect, test } from "vitest";
import { isSpam } from "./spam.js";

const limits = { messagesMax: 2, windowMs: 5_000, skewMs: 2_000 };
const sequence = (times: readonly number[]) => times.map((sentAtMs, index) => ({ number: index + 1, sentAtMs }));

test.each([
  ["the third in a row", [10_000, 10_001, 10_002], 2, true],
  ["the second in a row, though a third follows", [10_000, 10_001, 10_002], 1, false],
  ["one after the window has passed", [10_000, 10_001, 15_001], 2, false],
  ["one just inside the window", [10_000, 10_001, 14_999], 2, true],
  ["the later stored of concurrent ones, though its time is earlier", [10_001, 10_002, 10_000], 2, true],
  ["an old one that is judged after newer ones", [60_000, 60_001, 10_000], 2, false],
])("whether a message is the one too many of its window: %s", (_name, times, judged, expected) => {
  const all = sequence(times);
  const message = all[judged];
  expect(message !== undefined && isSpam(message, all, limits)).toBe(expected);
});
