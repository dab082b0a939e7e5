import { randomBytes } from "node:crypto";
import { constants, createInflate } from "node:zlib";
import { expect, test } from "vitest";
import { ZlibStream } from "./zlib-stream.js";

test("each payload ends with an empty block, and one context reads all of them", async () => {
  const stream = new ZlibStream();
  const texts = ["small", `{"large":"${randomBytes(100_000).toString("hex")}"}`, "", "ümläut 😀", "small"];
  const payloads = await Promise.all(texts.map((text) => stream.compress(text)));
  const inflate = createInflate({ finishFlush: constants.Z_SYNC_FLUSH });
  for (const [at, payload] of payloads.entries()) {
    expect(payload.subarray(-4)).toEqual(Buffer.from([0, 0, 0xff, 0xff]));
    const read = await new Promise<Buffer>((resolve) => {
      const chunks: Buffer[] = [];
      const onData = (chunk: Buffer) => chunks.push(chunk);
      inflate.on("data", onData);
      inflate.write(payload);
      inflate.flush(constants.Z_SYNC_FLUSH, () => {
        inflate.off("data", onData);
        resolve(Buffer.concat(chunks));
      });
    });
    expect(read.toString()).toBe(texts[at]);
  }
  // Later payloads refer to the bytes of earlier ones.
  expect(payloads[4]?.length).toBeLessThan(payloads[0]?.length ?? 0);
  stream.close();
});
