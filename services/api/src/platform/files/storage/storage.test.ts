import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { ServiceError } from "@parley/contracts";
import { createLogger } from "@parley/service-runtime";
import { startS3, type TestS3 } from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openLocalStorage } from "./local-storage.js";
import { openS3Storage } from "./s3-storage.js";
import type { FileStorage } from "./storage.js";

const logger = createLogger({ service: "test", level: "silent", nodeId: "test" });

let directory: string;
let s3: TestS3;
const storages: Record<string, FileStorage> = {};

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "parley-storage-"));
  s3 = await startS3();
  storages["a directory"] = await openLocalStorage({ directory });
  storages["an S3 server"] = await openBucket(s3.bucket);
});
afterAll(async () => {
  for (const storage of Object.values(storages)) storage.close();
  await s3?.stop();
  await rm(directory, { recursive: true, force: true });
});

const openBucket = (bucket: string, endpoint = s3.url) =>
  openS3Storage({
    settings: {
      bucket,
      region: "us-east-1",
      endpoint,
      credentials: { accessKeyId: "S3RVER", secretAccessKey: "S3RVER" },
      forcePathStyle: true,
    },
    logger,
  });

async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += 100_000) yield bytes.subarray(start, start + 100_000);
}

async function read(storage: FileStorage, ...args: Parameters<FileStorage["get"]>): Promise<Buffer | null> {
  const stream = await storage.get(...args);
  return stream === null ? null : buffer(stream);
}

async function keysIn(storage: FileStorage, folder: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of storage.list(folder)) keys.push(key);
  return keys.sort();
}

describe.each(["a directory", "an S3 server"])("%s", (kind) => {
  const storage = (): FileStorage => {
    const found = storages[kind];
    if (found === undefined) throw new Error("No such storage.");
    return found;
  };

  test.each([1, 300_000, 12_000_000])("gives back the %d bytes that it was given", async (size) => {
    const bytes = randomBytes(size);
    await storage().put(`sizes/${size}/file`, inPieces(bytes));
    expect((await read(storage(), `sizes/${size}/file`))?.equals(bytes)).toBe(true);
  });

  test("the storage gives back a part", async () => {
    await storage().put("parts/file", [Buffer.from("0123"), Buffer.from("456789")]);
    expect(String(await read(storage(), "parts/file", { start: 2, end: 5 }))).toBe("2345");
    expect(String(await read(storage(), "parts/file", { start: 9, end: 9 }))).toBe("9");
  });

  test("the storage has no file that was never stored or is deleted, and deletes it again without complaint", async () => {
    expect(await read(storage(), "deleted/a/file")).toBeNull();
    await storage().put("deleted/a/file", [Buffer.from("x")]);
    await storage().delete("deleted/a/file");
    await storage().delete("deleted/a/file");
    expect(await read(storage(), "deleted/a/file")).toBeNull();
    expect(await keysIn(storage(), "deleted")).toEqual([]);
  });

  test("lists the files of a folder, however deep, with the time at which they were written", async () => {
    const before = Date.now() - 2_000;
    await storage().put("listed/a/one", [Buffer.from("1")]);
    await storage().put("listed/b/two", [Buffer.from("2")]);
    await storage().put("listed-not/three", [Buffer.from("3")]);
    expect(await keysIn(storage(), "listed")).toEqual(["listed/a/one", "listed/b/two"]);
    for await (const { modifiedAt } of storage().list("listed")) {
      expect(modifiedAt.getTime()).toBeGreaterThan(before);
      expect(modifiedAt.getTime()).toBeLessThan(Date.now() + 2_000);
    }
    expect(await keysIn(storage(), "nothing")).toEqual([]);
  });

  test.each([0, 300_000, 12_000_000])(
    "keeps nothing of content that fails after %d bytes, and rejects with its error",
    async (size) => {
      const failure = new Error("the sender broke off");
      async function* failing() {
        yield* inPieces(Buffer.alloc(size));
        throw failure;
      }
      await expect(storage().put("failed/a/file", failing())).rejects.toBe(failure);
      expect(await keysIn(storage(), "failed")).toEqual([]);
      expect(await read(storage(), "failed/a/file")).toBeNull();
    },
  );
});

// The S3 server of these tests removes empty folders although other uploads are just writing there; real ones have no
// folders.
test("a directory stores and deletes many of one folder at once", async () => {
  const storage = await openLocalStorage({ directory });
  const keys = Array.from({ length: 30 }, (_, number) => `crowd/one/${number}`);
  await Promise.all(
    keys.map(async (key) => {
      await storage.put(key, [Buffer.from(key)]);
      await storage.delete(key);
      await storage.put(key, [Buffer.from(key)]);
    }),
  );
  expect(await keysIn(storage, "crowd")).toEqual(keys.sort());
});

describe("a storage that fails", () => {
  const unavailable = expect.objectContaining({ name: "ServiceError", kind: "unavailable" });

  test("a directory that is none any more is unavailable", async () => {
    const path = join(directory, "vanishing");
    const storage = await openLocalStorage({ directory: path });
    await rm(path, { recursive: true });
    await writeFile(path, "a file");
    await expect(storage.put("a/b", [Buffer.from("x")])).rejects.toEqual(unavailable);
    expect(await read(storage, "a/b")).toBeNull();
  });

  test("an S3 server that is away is unavailable, and does not keep the process from starting", async () => {
    const away = await startS3();
    await away.stop();
    const storage = await openBucket(away.bucket, away.url);
    await expect(storage.put("a/b", [Buffer.from("x")])).rejects.toEqual(unavailable);
    await expect(storage.get("a/b")).rejects.toBeInstanceOf(ServiceError);
    await expect(storage.delete("a/b")).rejects.toEqual(unavailable);
    storage.close();
  });

  test("a directory or bucket that cannot be used is reported in one sentence at the start", async () => {
    await writeFile(join(directory, "plain"), "a file");
    await expect(openLocalStorage({ directory: join(directory, "plain", "below") })).rejects.toThrow(
      /^UPLOAD_DIR \S+ cannot be written to$/,
    );
    await expect(openBucket("missing")).rejects.toThrow("S3_BUCKET missing cannot be used: the server answered 404");
  });
});
