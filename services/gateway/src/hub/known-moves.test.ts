import { describe, expect, test } from "vitest";
import { KnownMoves } from "./known-moves.js";

const away = (moves: KnownMoves, ...sequences: number[]) =>
  sequences.filter((sequence) => moves.isAway("server", sequence));

describe("known moves", () => {
  test("known moves leave out what lies between a leave and the next join, in whichever order they are noted", () => {
    const moves = new KnownMoves();
    moves.note("server", 30, true);
    moves.note("server", 40, false);
    moves.note("server", 20, false);
    moves.note("server", 20, false);
    expect(away(moves, 15, 25, 35, 45, Number.POSITIVE_INFINITY)).toEqual([25, 45, Number.POSITIVE_INFINITY]);
    expect(moves.isAway("another", 25)).toBe(false);
  });

  test("known moves leave out what lies before the first join, until that is forgotten", () => {
    const moves = new KnownMoves();
    moves.note("server", 10, true);
    expect(away(moves, 5, 15)).toEqual([5]);
    moves.forget("server", 10);
    expect(away(moves, 5, 15)).toEqual([]);
  });
});
