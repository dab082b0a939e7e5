import { constants, inflateRawSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { deflateVariantsMax } from "../limits.js";
import { type DeflatableFrame, deflatableOf } from "./deflate.js";
import { payloadOf } from "./frame-header.js";
import { Batch, encodeTextFrame, numberedFrame, sessionTagFromEnd, withOwn } from "./frames.js";

const tagLength = 20;
const textFrame = 0x81;
const compressedTextFrame = 0xc1;

/** A client whose window consists of the compressed messages that it received, one after another. */
class Client {
  readonly texts: string[] = [];
  compressed = 0;
  #window: Buffer = Buffer.alloc(0);

  read(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; ) {
      const rest = payloadOf(bytes.subarray(at));
      const headerLength = bytes.length - at - rest.length;
      const length = headerLength === 2 ? bytes.readUInt8(at + 1) : bytes.readUInt16BE(at + 2);
      const payload = rest.subarray(0, length);
      const kind = bytes.readUInt8(at);
      expect([textFrame, compressedTextFrame]).toContain(kind);
      this.texts.push((kind === textFrame ? payload : this.#inflate(payload)).toString());
      at += headerLength + length;
    }
  }

  /** As RFC 7692, 7.2.2 says. */
  #inflate(payload: Buffer): Buffer {
    this.compressed += 1;
    const text = inflateRawSync(Buffer.concat([payload, Buffer.of(0, 0, 0xff, 0xff)]), {
      finishFlush: constants.Z_SYNC_FLUSH,
      dictionary: this.#window,
    });
    this.#window = Buffer.concat([this.#window, text]);
    return text;
  }
}

const people = 4;
const step = fc.record({
  kind: fc.constantFrom("event" as const, "own" as const),
  audience: fc.uniqueArray(fc.nat(people - 1), { minLength: 1 }),
  text: fc.oneof(fc.constantFrom("hello", " ".repeat(40), "a word and ".repeat(9)), fc.string({ maxLength: 300 })),
  writes: fc.uniqueArray(fc.nat(people - 1)),
});

describe("events for clients with compression", () => {
  test.each([true, false])(
    "are the same that each client inflates, whichever connections get and write them together (numbered: %s)",
    (isNumbered) => {
      fc.assert(
        fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
          const emptyBatch = Batch.empty();
          const connections = Array.from({ length: people }, (_, index) => ({
            client: new Client(),
            tag: Buffer.alloc(tagLength, String.fromCharCode(97 + index)),
            batch: emptyBatch,
            last: null as DeflatableFrame | null,
            expected: [] as string[],
          }));
          const write = (index: number) => {
            const connection = connections[index];
            if (connection === undefined) return;
            const contents = connection.batch.deflated(connection.last);
            connection.client.read(withOwn(contents, connection.tag));
            connection.last = contents.last ?? connection.last;
            connection.batch = emptyBatch;
          };
          for (const { kind, audience, text, writes } of steps) {
            const event = JSON.stringify({ op: "DISPATCH", t: "MESSAGE_CREATE", d: { content: text } });
            const plain = encodeTextFrame(Buffer.from(event));
            const isTagged = isNumbered && kind === "event";
            const frame = isTagged ? numberedFrame(plain, "position", tagLength) : plain;
            const patch = isTagged ? { patchFromEnd: sessionTagFromEnd(tagLength) } : {};
            const shared = kind === "own" ? {} : { isCompressible: true };
            for (const index of audience) {
              const connection = connections[index];
              if (connection === undefined) continue;
              connection.batch = connection.batch.append(frame, 0, { ...patch, ...shared });
              const cursor = `,"s":"position.${connection.tag}"}`;
              connection.expected.push(isTagged ? event.slice(0, -1) + cursor : event);
            }
            for (const index of writes) write(index);
          }
          for (const [index, { client, expected }] of connections.entries()) {
            write(index);
            expect(client.texts).toEqual(expected);
          }
        }),
        { numRuns: 200 },
      );
    },
  );

  test("a frame is compressed once for all connections that come from the same frame, and for few different ones", () => {
    const frame = (text: string) => encodeTextFrame(Buffer.from(JSON.stringify({ op: "DISPATCH", d: { text } })));
    const [event, previous] = [deflatableOf(frame("now")), deflatableOf(frame("before"))];
    expect(event.after(event.reference(previous))).toBe(event.after(event.reference(previous)));
    const others = Array.from({ length: deflateVariantsMax + 3 }, (_, n) => deflatableOf(frame(`other ${n}`)));
    const made = new Set([previous, ...others].map((other) => event.after(event.reference(other))));
    expect(made.size).toBe(deflateVariantsMax + 1);
    // Behind a frame of the same shape only the difference costs bytes.
    expect(event.after(previous).length).toBeLessThan(0.7 * event.after(null).length);
  });
});
