import { constants } from "node:fs";
import { lstat, open, opendir } from "node:fs/promises";
import { basename, join } from "node:path";
import { Readable } from "node:stream";
import { ArchiveError } from "../archive.js";
import type { Container } from "./container.js";
import { Entries, shown } from "./entries.js";

/** A folder's files, in the order of their names. */
export async function openFolder(path: string, maxBytes: number): Promise<Container> {
  const entries = new Entries<string>(maxBytes);
  const folders = [""];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const inside = new Map<string, string>();
    for await (const { name } of await opendir(join(path, folder)))
      inside.set(folder + name, entries.name(folder + name));
    for (const [relative, name] of [...inside].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const stats = await lstat(join(path, relative));
      if (stats.isDirectory()) folders.push(`${relative}/`);
      else if (!stats.isFile()) throw new ArchiveError(`${shown(relative)}: the entry is a link or a device.`);
      else entries.add(name, stats.size, null, relative);
    }
  }
  return containerOf(entries, (place) => join(path, place));
}

/** A single file as an archive of one entry. */
export async function openFile(
  path: string,
  size: number,
  maxBytes: number,
  name = basename(path),
): Promise<Container> {
  const entries = new Entries<string>(maxBytes);
  entries.add(entries.name(name), size, null, path);
  return containerOf(entries, (place) => place);
}

function containerOf(entries: Entries<string>, pathOf: (place: string) => string): Container {
  return {
    entries: entries.withoutOuterFolders(),
    open: async ({ place, size }) => {
      if (size === 0) return Readable.from([]);
      const file = await open(pathOf(place as string), constants.O_RDONLY | constants.O_NOFOLLOW);
      return file.createReadStream({ start: 0, end: size - 1 });
    },
    close: async () => undefined,
  };
}
