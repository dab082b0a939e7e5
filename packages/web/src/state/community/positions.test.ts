import { expect, test } from "vitest";
import { newPositions } from "./positions.js";

const changed = (current: number[], max?: number) =>
  newPositions(current, max).filter((position, index) => position !== current[index]).length;

test.each([
  { name: "an order that stands already is kept", current: [0, 1, 2, 3], next: [0, 1, 2, 3] },
  { name: "what moves to the end gets a position behind all others", current: [1, 2, 3, 0], next: [1, 2, 3, 4] },
  { name: "what moves between two goes into a gap", current: [10, 40, 20, 30], next: [10, 15, 20, 30] },
  { name: "neighbours change places in one change", current: [0, 1, 3, 2], next: [0, 1, 3, 4] },
  { name: "without room the nearest make some", current: [0, 3, 1, 2, 4], next: [0, 3, 4, 5, 6] },
  { name: "equal positions become different ones", current: [5, 5, 5], next: [5, 6, 7] },
  { name: "what is first of all goes below the others", current: [7, 3, 5], next: [1, 3, 5] },
])("positions after a move: $name", ({ current, next }) => {
  expect(newPositions(current)).toEqual(next);
});

test("any order becomes ascending, from 0 and below the limit, and a move costs no more than its way", () => {
  const count = 12;
  for (let from = 0; from < count; from += 1) {
    for (let to = 0; to < count; to += 1) {
      const moved = Array.from({ length: count }, (_, index) => index);
      moved.splice(to, 0, ...moved.splice(from, 1));
      for (const max of [undefined, count - 1]) {
        const next = newPositions(moved, max);
        expect(next).toEqual([...new Set(next)].toSorted((a, b) => a - b));
        expect(next[0]).toBeGreaterThanOrEqual(0);
        expect(next.at(-1)).toBeLessThanOrEqual(max ?? Number.POSITIVE_INFINITY);
        expect(changed(moved, max)).toBeLessThanOrEqual(Math.abs(to - from) + 1);
      }
    }
  }
});
