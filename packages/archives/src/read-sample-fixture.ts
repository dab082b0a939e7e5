import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname } from "node:path";
import { sampleArchive, summarise } from "@parley/testing/archives";
import { containerOf } from "./open/containers-fixture.js";
import { openArchive } from "./open/open-archive.js";
import { recogniseReader } from "./readers.js";
import { readRecords } from "./records.js";

/** A folder with these entries, recognised and read. */
export async function readMade(source: string, entries: Readonly<Record<string, unknown>>) {
  const path = await containerOf(
    "folder",
    Object.entries(entries).map(([name, bytes]) => ({
      name,
      bytes: typeof bytes === "string" || bytes instanceof Buffer ? bytes : JSON.stringify(bytes),
    })),
  );
  try {
    return await readPath(source, path);
  } finally {
    await rm(dirname(path), { recursive: true });
  }
}

/** A sample archive, recognised and read, with what must become of it. */
export async function readSample(source: string) {
  const { path, golden } = sampleArchive(source);
  return { golden, summary: await readPath(source, path) };
}

async function readPath(source: string, path: string) {
  const archive = await openArchive(path, { maxBytes: 1_000_000_000, temporaryFolder: tmpdir() });
  try {
    const reader = await recogniseReader(archive);
    if (reader?.source !== source) throw new Error(`${path} is recognised as ${reader?.source}.`);
    return await summarise(archive, readRecords(reader, archive));
  } finally {
    await archive.close();
  }
}
