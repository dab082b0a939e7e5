import { mkdir, mkdtemp, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { type MadeEntry, zipOf } from "@parley/testing/zips";
import { pack } from "tar-stream";

export async function tarOf(entries: readonly MadeEntry[]): Promise<Buffer> {
  const tar = pack();
  const pieces: Buffer[] = [];
  tar.on("data", (piece: unknown) => {
    if (piece instanceof Buffer) pieces.push(piece);
  });
  for (const { name, bytes = "", kind } of entries) {
    if (kind === undefined) tar.entry({ name }, bytes);
    else tar.entry({ name, type: kind, linkname: "target" });
  }
  tar.finalize();
  await new Promise<void>((resolve) => tar.on("end", () => resolve()));
  return Buffer.concat(pieces);
}

/** A tar of so many empty files, from one header: a packer takes minutes for them. */
export async function tarOfMany(count: number): Promise<Buffer> {
  const header = (await tarOf([{ name: "0".repeat(8) }])).subarray(0, 512);
  const tar = Buffer.alloc((count + 2) * 512);
  for (let at = 0; at < count; at += 1) {
    header.write(String(at).padStart(8, "0"), 0, "latin1");
    header.fill(" ", 148, 156);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
    header.copy(tar, at * 512);
  }
  return tar;
}

export const tarGzOf = async (entries: readonly MadeEntry[]): Promise<Buffer> => gzipSync(await tarOf(entries));

/** Writes a folder with these files and links. */
export async function folderOf(path: string, entries: readonly MadeEntry[]): Promise<void> {
  for (const { name, bytes = "", kind } of entries) {
    await mkdir(dirname(join(path, name)), { recursive: true });
    if (kind === undefined) await writeFile(join(path, name), bytes);
    else await symlink("target", join(path, name));
  }
}

export const containers = ["zip", "tar", "tar.gz", "folder"] as const;
export type ContainerKind = (typeof containers)[number];

/** A container with these entries. @returns its path, in a folder of its own */
export async function containerOf(kind: ContainerKind, entries: readonly MadeEntry[]): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), "made-")), kind === "folder" ? "archive" : `archive.${kind}`);
  if (kind === "folder") await folderOf(path, entries);
  else
    await writeFile(
      path,
      kind === "zip" ? zipOf(entries) : kind === "tar" ? await tarOf(entries) : await tarGzOf(entries),
    );
  return path;
}
