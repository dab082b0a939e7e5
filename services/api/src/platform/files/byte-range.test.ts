import { expect, test } from "vitest";
import { parseRange } from "./byte-range.js";

test.each([
  [undefined, "all"],
  ["bytes=0-0", { start: 0, end: 0 }],
  ["bytes=2-5", { start: 2, end: 5 }],
  ["Bytes = 2-5", "all"],
  ["BYTES=2-5", { start: 2, end: 5 }],
  ["bytes=90-", { start: 90, end: 99 }],
  ["bytes=0-", { start: 0, end: 99 }],
  ["bytes=90-1000", { start: 90, end: 99 }],
  ["bytes=-10", { start: 90, end: 99 }],
  ["bytes=-1000", { start: 0, end: 99 }],
  ["bytes=-0", "unsatisfiable"],
  ["bytes=100-", "unsatisfiable"],
  ["bytes=100-200", "unsatisfiable"],
  ["bytes=5-2", "all"],
  ["bytes=-", "all"],
  ["bytes=0-1,5-6", "all"],
  ["lines=0-1", "all"],
  ["bytes=a-b", "all"],
  ["bytes=99999999999999999999-", "all"],
])("the range %s of 100 bytes is %j", (header, expected) => {
  expect(parseRange(header, 100)).toEqual(expected);
});
