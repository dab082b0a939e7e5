import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FrameGate, type GateVerdict } from "./frame-gate.js";

interface Frame {
  opcode: number;
  payload: Buffer;
  fin?: boolean;
}

function encode({ opcode, payload, fin = true }: Frame): Buffer {
  const { length } = payload;
  const size = length < 126 ? [0x80 | length] : [0x80 | 126, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([(fin ? 0x80 : 0) | opcode, ...size, 1, 2, 3, 4]), payload]);
}

const [continuation, text, close, ping, pong] = [0, 1, 8, 9, 10];
const small = (opcode: number, fin = true): Frame => ({ opcode, payload: Buffer.from("x"), fin });

/** A gate, and the frames that it let through. */
function createGate() {
  const gate = new FrameGate();
  const passed: Buffer[] = [];
  return {
    gate,
    passed: () => Buffer.concat(passed),
    take: (frames: readonly Frame[], now: number): GateVerdict =>
      gate.take(Buffer.concat(frames.map(encode)), now, (part) => passed.push(part)),
  };
}

describe("the gate of frames", () => {
  test("the gate of frames passes frames within the rate and drops whole frames beyond, however the bytes are cut", () => {
    const frame = fc.record({
      opcode: fc.constantFrom(text, ping, pong),
      payload: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
    });
    fc.assert(
      fc.property(
        fc.array(frame, { maxLength: 40 }),
        fc.infiniteStream(fc.integer({ min: 1, max: 400 })),
        (frames, cuts) => {
          const { gate, passed } = createGate();
          const parts: Buffer[] = [];
          const bytes = Buffer.concat(frames.map(encode));
          for (let position = 0; position < bytes.length; ) {
            const end = position + (cuts.next().value ?? 1);
            gate.take(bytes.subarray(position, end), 0, (part) => parts.push(part));
            position = end;
          }
          expect(Buffer.concat(parts)).toEqual(Buffer.concat(frames.slice(0, 20).map(encode)));
          expect(gate.dropped).toBe(Math.max(0, frames.length - 20));
          expect(passed()).toHaveLength(0);
        },
      ),
    );
  });

  test("the gate of frames drops the fragments of a dropped message, passes those of the others, and always a close frame but nothing after it", () => {
    const { take, passed } = createGate();
    const admitted = [...Array.from({ length: 19 }, () => small(text)), small(text, false), small(continuation)];
    expect(take(admitted, 0)).toBe("within");
    expect(take([small(text, false), small(continuation)], 0)).toBe("excess");
    expect(take([small(close), small(text), small(close)], 0)).toBe("within");
    take([small(text)], 5_000);
    expect(passed()).toEqual(Buffer.concat([...admitted, small(close)].map(encode)));
  });

  test("the gate of frames passes a frame that is too large, which closes the connection", () => {
    const { take, passed } = createGate();
    take(
      Array.from({ length: 21 }, () => small(text)),
      0,
    );
    const before = passed().length;
    take([{ opcode: text, payload: Buffer.alloc(16_385) }], 1);
    expect(passed().length).toBeGreaterThan(before + 16_384);
  });

  test("the gate of frames calls it a flood after ten seconds over the rate, and never when the client keeps to it in between", () => {
    const burst = Array.from({ length: 21 }, () => small(ping));
    const flooding = createGate();
    const verdicts = Array.from({ length: 11 }, (_, second) => flooding.take(burst, second * 1_005));
    expect(verdicts).toEqual([...Array.from({ length: 10 }, () => "excess"), "flood"]);
    const bursting = createGate();
    for (let second = 0; second < 120; second += 2) {
      expect(bursting.take(burst, second * 1_000)).toBe("excess");
      expect(bursting.take([small(text)], second * 1_000 + 1_000)).toBe("within");
    }
  });
});
