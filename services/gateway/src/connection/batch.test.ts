import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Batch } from "./batch.js";

describe("batch", () => {
  it("holds for every connection exactly its frames, in order, whatever the audiences", () => {
    const audiences = fc.array(fc.uniqueArray(fc.integer({ min: 0, max: 4 })), { maxLength: 30 });
    fc.assert(
      fc.property(audiences, (events) => {
        const empty = Batch.empty();
        const batches = Array.from({ length: 5 }, () => empty);
        const expected = Array.from({ length: 5 }, () => "");
        events.forEach((audience, number) => {
          const frame = Buffer.from(`<${number}>`);
          for (const index of audience) {
            batches[index] = (batches[index] ?? empty).append(frame, number);
            expected[index] += `<${number}>`;
          }
        });
        expect(batches.map((batch) => batch.bytes().toString())).toEqual(expected);
        expect(batches.map((batch) => batch.byteLength)).toEqual(expected.map((text) => text.length));
      }),
    );
  });

  it("is one object, with its bytes joined once, for all connections that wait for the same frames", () => {
    const empty = Batch.empty();
    const frames = [Buffer.from("a"), Buffer.from("b")];
    const waiting = Array.from({ length: 3 }, () => empty);
    for (const frame of frames) {
      waiting.forEach((batch, index) => {
        waiting[index] = batch.append(frame, 0);
      });
    }
    expect(new Set(waiting).size).toBe(1);
    expect(waiting[0]?.bytes()).toBe(waiting[2]?.bytes());
  });

  it("writes a single frame without copying it", () => {
    const frame = Buffer.from("a");
    expect(Batch.empty().append(frame, 0).bytes()).toBe(frame);
  });

  it("knows since when its first frame waits", () => {
    const batch = Batch.empty().append(Buffer.from("a"), 7);
    expect(batch.append(Buffer.from("b"), 8).since).toBe(7);
  });
});
