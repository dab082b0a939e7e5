import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { writeZip } from "./write-zip.js";
import { linesPart } from "./zip-part.js";

test("an export whose reading fails ends with that, and its process goes on", async () => {
  async function* pages(): AsyncGenerator<string[]> {
    yield ["{}"];
    throw new Error("the database is away");
  }
  const output = new PassThrough();
  output.resume();
  const written = writeZip(output, [linesPart("messages.jsonl", pages)], AbortSignal.timeout(60_000));
  await expect(written).rejects.toThrow("the database is away");
});
