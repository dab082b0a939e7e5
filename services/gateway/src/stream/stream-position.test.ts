import { describe, expect, test } from "vitest";
import { trackedSubjectsMax } from "../limits.js";
import { StreamPosition } from "./stream-position.js";

const settled = () => 0;

describe("the stream position of a node", () => {
  test("the stream position of a node takes each event of a subject once", () => {
    const position = new StreamPosition(0);
    expect(position.isNew("a", 7)).toBe(true);
    position.markDelivered("a", 7, settled);
    expect(position.isNew("a", 7)).toBe(false);
    expect(position.isNew("a", 6)).toBe(false);
    expect(position.isNew("b", 6)).toBe(true);
  });

  test("the stream position of a node notices a missing predecessor on a subject that had events", () => {
    const position = new StreamPosition(0);
    position.markDelivered("a", 7, settled);
    expect(position.gapStart("a", 7)).toBeNull();
    expect(position.gapStart("a", 8)).toBe(8);
    expect(position.gapStart("a", 9)).toBe(8);
  });

  test("the stream position of a node notices a missing predecessor on a quiet subject only when it is known where the subscription began", () => {
    const position = new StreamPosition(100);
    expect(position.gapStart("a", 120)).toBeNull();
    position.confirm(110);
    expect(position.gapStart("a", 105)).toBeNull();
    expect(position.gapStart("a", 120)).toBe(111);
  });

  test("the stream position of a node takes live events from before the subscription was confirmed, but reads none of them again", () => {
    const position = new StreamPosition(100);
    position.confirm(110);
    expect(position.isNew("a", 109)).toBe(true);
    expect(position.wasMissed("a", 109)).toBe(false);
    expect(position.wasMissed("a", 111)).toBe(true);
  });

  test("the stream position of a node takes recovered events since the join when a join began the subscription", () => {
    const position = new StreamPosition(100, 50);
    expect(position.wasMissed("a", 50)).toBe(false);
    expect(position.wasMissed("a", 51)).toBe(true);
  });

  test("the stream position of a node forgets single subjects without taking an event twice or seeing gaps that are none", () => {
    const position = new StreamPosition(0);
    for (let sequence = 1; sequence <= trackedSubjectsMax + 1; sequence++) {
      position.markDelivered(`subject ${sequence}`, sequence, () => trackedSubjectsMax - 10);
    }
    expect(position.isNew("subject 5", 5)).toBe(false);
    expect(position.gapStart("subject 5", 5)).toBeNull();
    expect(position.isNew(`subject ${trackedSubjectsMax}`, trackedSubjectsMax)).toBe(false);
    expect(position.isNew("subject 5", trackedSubjectsMax + 2)).toBe(true);
  });
});
