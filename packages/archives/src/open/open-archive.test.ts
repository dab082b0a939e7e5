import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { type MadeEntry, zipOf } from "@parley/testing/zips";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Archive, ArchiveError } from "../archive.js";
import { jsonLines, jsonRecords, maxRecordBytes } from "../json-records.js";
import { type ContainerKind, containerOf, containers, tarGzOf, tarOfMany } from "./containers-fixture.js";
import { openArchive } from "./open-archive.js";

const megabyte = 1_000_000;
const zeros = (bytes: number) => Buffer.alloc(bytes);

interface Opened {
  archive: Archive | null;
  /** The sentence with which the archive as a whole was refused, or null. */
  refused: string | null;
}

/** Opens and reads an archive, and checks that nothing is left of it afterwards. */
async function opened(
  path: string,
  maxBytes: number,
  read: (archive: Archive) => Promise<void>,
): Promise<string | null> {
  const temporaryFolder = await mkdtemp(join(tmpdir(), "unpacked-"));
  onTestFinished(async () => {
    await rm(temporaryFolder, { recursive: true });
    await rm(dirname(path), { recursive: true });
  });
  const { archive, refused } = await openArchive(path, { maxBytes, temporaryFolder }).then(
    (archive): Opened => ({ archive, refused: null }),
    (error): Opened => {
      if (!(error instanceof ArchiveError)) throw error;
      return { archive: null, refused: error.message };
    },
  );
  let failed: string | null = null;
  if (archive !== null) {
    await read(archive).catch((error) => {
      if (!(error instanceof ArchiveError)) throw error;
      failed = error.message;
    });
    await archive.close();
  }
  expect(await readdir(temporaryFolder)).toEqual([]);
  return refused ?? failed;
}

async function readAll(archive: Archive): Promise<void> {
  for (const { name } of archive.entries) for await (const _ of await archive.open(name));
}

async function made(bytes: Buffer, name: string): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), "made-")), name);
  await writeFile(path, bytes);
  return path;
}

const all: readonly ContainerKind[] = containers;
const packed: readonly ContainerKind[] = ["zip", "tar.gz"];
const unpacked: readonly ContainerKind[] = ["zip", "tar", "tar.gz"];

describe.each<[what: string, kinds: readonly ContainerKind[], entries: MadeEntry[], sentence: RegExp]>([
  ["a path with ..", unpacked, [{ name: "a/../../b" }], /^a\/\.\.\/\.\.\/b: the path leads out of the folder\.$/],
  ["a path from the root", unpacked, [{ name: "/etc/b" }], /: the path leads out of the folder\.$/],
  ["a path of Windows", ["zip"], [{ name: "..\\b" }], /: the path leads out of the folder\.$/],
  ["a path from a drive", unpacked, [{ name: "C:/b" }], /: the path leads out of the folder\.$/],
  ["a link", all, [{ name: "b", kind: "symlink" }], /^b: the entry is a link/],
  ["a hard link", ["tar", "tar.gz"], [{ name: "b", kind: "link" }], /^b: the entry is a link/],
  ["a device", unpacked, [{ name: "b", kind: "character-device" }], /^b: the entry is a link, a device|or a device/],
  ["a pipe", unpacked, [{ name: "b", kind: "fifo" }], /^b: the entry is a link/],
  [
    "a name that stands twice",
    unpacked,
    [{ name: "b" }, { name: "b" }],
    /^b: the archive has two entries of this name\.$/,
  ],
  ["a folder that stands twice", ["zip"], [{ name: "b/" }, { name: "b/c" }, { name: "b/" }], /^b: .*two entries/],
  ["a file and a folder of one name", ["zip"], [{ name: "b/" }, { name: "b" }], /^b: .*two entries/],
  ["a name in NFC and NFD", unpacked, [{ name: "\u00fc" }, { name: "u\u0308" }], /two entries of this name\.$/],
  ["an encrypted entry", ["zip"], [{ name: "b", encrypted: true, bytes: "x" }], /^b: the entry is encrypted\.$/],
  ["an unknown method", ["zip"], [{ name: "b", method: 93, bytes: "x" }], /^b: the entry is packed by method 93/],
  [
    "entries that overlap",
    ["zip"],
    [
      { name: "a", bytes: randomBytes(999) },
      { name: "b", offset: 20 },
    ],
    /overlap/,
  ],
  ["a bomb", packed, [{ name: "b", bytes: zeros(12 * megabyte) }], /^b: the entry grows to more than 100 times/],
  ["a larger size than it says", ["zip"], [{ name: "b", bytes: zeros(999), claimed: 9 }], /^b: .*too many bytes/],
  ["a smaller size than it says", ["zip"], [{ name: "b", bytes: zeros(9), claimed: 999 }], /^b: .*not enough bytes/],
  ["no entry", ["zip"], [], /^The archive is empty\.$/],
])("%s", (_, kinds, entries, sentence) => {
  test.each(kinds)("fails a %s", async (kind) => {
    expect(await opened(await containerOf(kind, entries), 100 * megabyte, readAll)).toMatch(sentence);
  });
});

test.each(packed)("entries that grow to more than twenty times the bound together fail a %s", async (kind) => {
  const entries = Array.from({ length: 25 }, (_, at) => ({ name: `${at}`, bytes: zeros(megabyte) }));
  expect(await opened(await containerOf(kind, entries), megabyte, readAll)).toBe(
    "The archive grows to more than 20000000 bytes.",
  );
});

test.each([
  ["zip", async () => zipOf(Array.from({ length: 200_001 }, (_, at) => ({ name: `${at}`, method: 0 })))],
  ["tar.gz", async () => gzipSync(await tarOfMany(200_001), { level: 1 })],
])("200,001 entries fail a %s", async (kind, bytes) => {
  expect(await opened(await made(await bytes(), `a.${kind}`), 100 * megabyte, readAll)).toBe(
    "The archive has more than 200000 entries.",
  );
});

test("a link fails a zip of macOS, too", async () => {
  const zip = zipOf([{ name: "b", kind: "symlink" }]);
  const host = 5;
  zip[zip.indexOf(Buffer.from([0x50, 0x4b, 1, 2])) + host] = 19;
  expect(await opened(await made(zip, "a.zip"), megabyte, readAll)).toMatch(/^b: the entry is a link/);
});

test("an archive of more bytes than the bound is refused", async () => {
  const path = await made(randomBytes(2000), "a.bin");
  expect(await opened(path, 1000, readAll)).toBe("The archive has more than 1000 bytes.");
});

test.each([
  [
    "a zip",
    zipOf([{ name: "a", bytes: randomBytes(5000), method: 0 }]).subarray(0, 4000),
    "a.zip",
    /^The zip cannot be read/,
  ],
  [
    "a tar.gz",
    (await tarGzOf([{ name: "a", bytes: randomBytes(5000) }])).subarray(0, 4000),
    "a.tar.gz",
    /ends too early/,
  ],
  ["a gz of no tar", gzipSync("hello"), "a.gz", /no tar|too early/],
  ["a dump by --archive", Buffer.from("6de29981aabb", "hex"), "dump.archive", /made with --archive/],
  ["its gz", gzipSync(Buffer.from("6de29981aabb", "hex")), "dump.gz", /made with --archive/],
])("%s that cannot be read is refused", async (_, bytes, name, sentence) => {
  expect(await opened(await made(bytes, name), megabyte, readAll)).toMatch(sentence);
});

const nested = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;
const records = (third: string) => `{"head": 1, "messages": [{"a": 1}, {"a": 2}, ${third}, {"a": 4}]}`;

describe.each(all)("JSON in a %s", (kind) => {
  test.each([
    ["a wrong syntax in the third record", records('{"a": }'), "x/m.json, record 3 of messages: is not JSON."],
    ["a missing comma behind it", "[1, 2, 3 4]", "x/m.json, record 4: is not JSON."],
    [
      "an end in the third record",
      '{"messages": [1, 2, {"a":',
      "x/m.json, record 3 of messages: the file ends too early.",
    ],
    ["101 levels", records(nested(99)), "x/m.json, record 3 of messages: has more than 100 levels."],
  ])("%s is named", async (_, text, sentence) => {
    const path = await containerOf(kind, [{ name: "x/m.json", bytes: text }, { name: "y" }]);
    expect(
      await opened(path, 100 * megabyte, async (archive) => {
        for await (const _ of jsonRecords(archive, "x/m.json"));
      }),
    ).toBe(sentence);
  });

  test("and a wrong syntax in the third line are named", async () => {
    const path = await containerOf(kind, [{ name: "m.jsonl", bytes: '{"a":1}\n{"a":2}\n{"a":\n{"a":4}\n' }]);
    expect(
      await opened(path, megabyte, async (archive) => {
        for await (const _ of jsonLines(archive, "m.jsonl"));
      }),
    ).toBe("m.jsonl, record 3: is not JSON.");
  });

  test("is the same in a folder around everything, beside what macOS adds, with BOM, CRLF and no last line end", async () => {
    const path = await containerOf(kind, [
      { name: "Export/sub/m.jsonl", bytes: `\ufeff{"a":1}\r\n\r\n{"a":${nested(99)}}` },
      { name: "Export/m.json", bytes: '\ufeff{"a":\r\n[1,\r\n"\\u0000x\\ud800"]}' },
      { name: "Export/.DS_Store", bytes: "x" },
      { name: "Export/._m.json", bytes: "x" },
      { name: "__MACOSX/Export/m.json", bytes: "x" },
    ]);
    const found: unknown[] = [];
    const failed = await opened(path, megabyte, async (archive) => {
      expect(archive.entries.map(({ name }) => name).sort()).toEqual(["m.json", "sub/m.jsonl"]);
      for await (const { value } of jsonLines(archive, "sub/m.jsonl")) found.push(value);
      for await (const { key, place, value } of jsonRecords(archive, "m.json")) found.push([key, place, value]);
    });
    expect({ failed, found }).toEqual({
      failed: null,
      found: [{ a: 1 }, { a: JSON.parse(nested(99)) }, ["a", 1, 1], ["a", 2, "x"]],
    });
  });
});

test.each([
  ["UTF-8 without the flag, in NFD", { name: "u\u0308ber/a.json" }, "über/a.json"],
  ["the old code page", { name: "", rawName: Buffer.from("\x81ber.json", "latin1") }, "über.json"],
  ["backslashes", { name: "x\\a.json" }, "x/a.json"],
])("names of a zip in %s are read", async (_, entry, name) => {
  const path = await made(zipOf([entry, { name: "other" }], { utf8Flag: false }), "a.zip");
  const failed = await opened(path, megabyte, async (archive) => {
    expect(archive.entries[0]?.name).toBe(name);
    expect(archive.find(name.normalize("NFD"))).toBeDefined();
  });
  expect(failed).toBeNull();
});

test("a record of more than 16 MiB is named", async () => {
  const path = await containerOf("folder", [{ name: "m.json", bytes: `[1, "${"x".repeat(maxRecordBytes)}"]` }]);
  expect(
    await opened(path, 100 * megabyte, async (archive) => {
      for await (const _ of jsonRecords(archive, "m.json"));
    }),
  ).toBe(`m.json, record 2: has more than ${maxRecordBytes} bytes.`);
});
