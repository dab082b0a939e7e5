import { expect, test } from "vitest";
import { moved } from "./grid-moves.js";

// A title, a full row, a short row, a title, a row of one.
const counts = [0, 3, 2, 0, 1];
const at = (row: number, column: number) => ({ row, column });

test.each([
  ["ArrowRight", at(1, 0), at(1, 1)],
  ["ArrowRight", at(2, 1), at(4, 0)],
  ["ArrowRight", at(4, 0), at(4, 0)],
  ["ArrowLeft", at(4, 0), at(2, 1)],
  ["ArrowLeft", at(1, 0), at(1, 0)],
  ["ArrowDown", at(1, 2), at(2, 1)],
  ["ArrowDown", at(4, 0), at(4, 0)],
  ["ArrowUp", at(4, 0), at(2, 0)],
  ["ArrowUp", at(1, 1), null],
  ["PageUp", at(2, 1), at(1, 1)],
  ["PageDown", at(1, 2), at(4, 0)],
  ["Home", at(2, 1), at(2, 0)],
  ["End", at(1, 0), at(1, 2)],
  ["Tab", at(1, 0), undefined],
] as const)("in the grid of emoji %s leads from %j to %j", (key, from, to) => {
  expect(moved(counts, from, { key, ctrlKey: false }, "ltr")).toEqual(to);
});

test("with Control, Home and End lead to the ends of the whole grid", () => {
  expect(moved(counts, at(2, 1), { key: "Home", ctrlKey: true }, "ltr")).toEqual(at(1, 0));
  expect(moved(counts, at(2, 1), { key: "End", ctrlKey: true }, "ltr")).toEqual(at(4, 0));
});

test("from right to left the arrows lead where they point", () => {
  expect(moved(counts, at(1, 0), { key: "ArrowLeft", ctrlKey: false }, "rtl")).toEqual(at(1, 1));
  expect(moved(counts, at(1, 1), { key: "ArrowRight", ctrlKey: false }, "rtl")).toEqual(at(1, 0));
});
