import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MessageRate } from "./message-rate.js";

const gaps = fc.array(fc.oneof(fc.integer({ min: 0, max: 120 }), fc.integer({ min: 900, max: 1_100 })), {
  maxLength: 200,
});

describe("the limit of messages", () => {
  test("the limit of messages admits at most 20 messages in any window of a second, and as many as that allows", () => {
    fc.assert(
      fc.property(gaps, (pauses) => {
        const rate = new MessageRate();
        const admitted: number[] = [];
        let now = 0;
        for (const pause of pauses) {
          now += pause;
          const inWindow = admitted.filter((time) => now - time < 1_000).length;
          expect(rate.admit(now)).toBe(inWindow < 20);
          if (inWindow < 20) admitted.push(now);
        }
      }),
    );
  });

  test("the limit of messages drops the 21st of a second and admits again when the first is a second old", () => {
    const rate = new MessageRate();
    for (let count = 0; count < 20; count++) expect(rate.admit(count)).toBe(true);
    expect(rate.admit(999)).toBe(false);
    expect(rate.admit(1_000)).toBe(true);
    expect(rate.admit(1_000)).toBe(false);
  });
});
