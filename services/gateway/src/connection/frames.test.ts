import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Batch, encodeTextFrame } from "./frames.js";

/** Reads a frame as RFC 6455 5.2 describes it. */
function decode(frame: Buffer) {
  const short = (frame[1] ?? 0) & 0x7f;
  const [length, headerLength] =
    short < 126 ? [short, 2] : short === 126 ? [frame.readUInt16BE(2), 4] : [Number(frame.readBigUInt64BE(2)), 10];
  return {
    isFinal: ((frame[0] ?? 0) & 0x80) !== 0,
    opcode: (frame[0] ?? 0) & 0x7f,
    isMasked: ((frame[1] ?? 0) & 0x80) !== 0,
    length,
    payload: frame.subarray(headerLength),
  };
}

const aroundTheBoundaries = fc.oneof(
  fc.integer({ min: 0, max: 300 }),
  ...[125, 126, 127, 65_535, 65_536].map((length) => fc.integer({ min: Math.max(0, length - 2), max: length + 2 })),
);

describe("a text frame", () => {
  test("a text frame carries payloads of every length as one final unmasked text frame with the shortest length field", () => {
    fc.assert(
      fc.property(aroundTheBoundaries, (length) => {
        const payload = randomBytes(length);
        const frame = encodeTextFrame(payload);
        const decoded = decode(frame);
        expect(decoded).toMatchObject({ isFinal: true, opcode: 1, isMasked: false, length });
        expect(decoded.payload.equals(payload)).toBe(true);
        expect(frame.length - length).toBe(length < 126 ? 2 : length < 65_536 ? 4 : 10);
      }),
    );
  });

  test("a text frame is independent of the payload's memory", () => {
    const payload = Buffer.from("before");
    const frame = encodeTextFrame(payload);
    payload.fill("x");
    expect(decode(frame).payload.toString()).toBe("before");
  });
});

describe("a batch of frames", () => {
  test("a batch of frames holds for every connection exactly its frames, in order, whatever the audiences", () => {
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
        expect(batches.map((batch) => batch.contents().bytes.toString())).toEqual(expected);
        expect(batches.map((batch) => batch.byteLength)).toEqual(expected.map((text) => text.length));
      }),
    );
  });

  test("a batch of frames is one object, with its bytes joined once, for all connections that wait for the same frames", () => {
    const empty = Batch.empty();
    const frames = [Buffer.from("a"), Buffer.from("b")];
    const waiting = Array.from({ length: 3 }, () => empty);
    for (const frame of frames) {
      waiting.forEach((batch, index) => {
        waiting[index] = batch.append(frame, 0);
      });
    }
    expect(new Set(waiting).size).toBe(1);
    expect(waiting[0]?.contents().bytes).toBe(waiting[2]?.contents().bytes);
  });

  test("a batch of frames writes of the presences of one user the latest only, where it stands", () => {
    const empty = Batch.empty();
    const steps = fc.array(fc.option(fc.constantFrom("ann", "bob", "eve"), { nil: null }), { maxLength: 12 });
    fc.assert(
      fc.property(steps, (users) => {
        let batch = empty;
        users.forEach((user, number) => {
          batch = batch.append(
            Buffer.from(`<${user ?? "message"} ${number}>`),
            0,
            user === null ? {} : { presenceOf: user },
          );
        });
        const isLatest = (user: (typeof users)[number], number: number) =>
          user === null || !users.includes(user, number + 1);
        const expected = users.flatMap((user, number) =>
          isLatest(user, number) ? [`<${user ?? "message"} ${number}>`] : [],
        );
        for (const each of [batch, batch.withoutSuperseded()]) {
          const { bytes, frameCount } = each.contents();
          expect([bytes.toString(), frameCount]).toEqual([expected.join(""), expected.length]);
        }
        expect(batch.withoutSuperseded().byteLength).toBe(expected.join("").length);
      }),
    );
  });

  test("a batch of frames writes a single frame without copying it", () => {
    const frame = Buffer.from("a");
    expect(Batch.empty().append(frame, 0).contents().bytes).toBe(frame);
  });

  test("a batch of frames knows since when its first frame waits", () => {
    const batch = Batch.empty().append(Buffer.from("a"), 7);
    expect(batch.append(Buffer.from("b"), 8).since).toBe(7);
  });
});
