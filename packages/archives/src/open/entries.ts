import { ArchiveError, type Entry } from "../archive.js";
import { freeGrowth, maxEntries, maxGrowth, maxGrowthOfAll, maxNames } from "./limits.js";

const controls = /\p{Cc}/gu;
const junk = /(?:^|\/)(?:__MACOSX|\.DS_Store|\._[^/]*)(?:\/|$)/;

/** Where the bytes of an entry lie, as the container says it. */
export interface PlacedEntry<Place> extends Entry {
  place: Place;
}

/** The entries of a container while it is read, and the limits that they share (section 32.1). */
export class Entries<Place> {
  readonly #maxBytes: number;
  readonly #entries = new Map<string, PlacedEntry<Place>>();
  readonly #left = new Set<string>();
  readonly #folders = new Set<string>();
  #count = 0;
  #nameLength = 0;
  #bytes = 0;

  /** @param maxBytes `IMPORT_MAX_BYTES` */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * Counts an entry, also a folder, and checks its name.
   *
   * @param raw the name as the container has it
   * @returns the name with `/`, in NFC
   * @throws ArchiveError when the name leads out of the folder, or the archive has too many
   */
  name(raw: string): string {
    this.#count += 1;
    if (this.#count > maxEntries) throw new ArchiveError(`The archive has more than ${maxEntries} entries.`);
    this.#nameLength += raw.length;
    if (this.#nameLength > maxNames) throw new ArchiveError("The names in the archive are too long.");
    const path = raw.replaceAll("\\", "/").normalize("NFC");
    const parts = path
      .split("/")
      .filter((part, at, all) => part !== "." && (part !== "" || at === 0 || at === all.length - 1));
    if (path.startsWith("/") || /^[A-Za-z]:\//.test(path) || parts.includes("..") || path.includes("\0")) {
      throw new ArchiveError(`${shown(raw)}: the path leads out of the folder.`);
    }
    return parts.join("/");
  }

  /**
   * @param name from `name`
   * @param size bytes, unpacked
   * @param packed bytes; null where the container does not say it
   * @throws ArchiveError when it stands there twice, or grows more than it may
   */
  add(name: string, size: number, packed: number | null, place: Place): void {
    this.#checkNew(name);
    if (packed !== null) checkGrowth(name, size, packed);
    this.grow(size);
    if (junk.test(name)) this.#left.add(name);
    else this.#entries.set(name, { name, size, place });
  }

  /**
   * @param name from `name`, with `/` at the end
   * @throws ArchiveError when it stands there twice, or as a file
   */
  addFolder(name: string): void {
    const plain = name.slice(0, -1);
    this.#checkNew(plain);
    this.#folders.add(plain);
  }

  #checkNew(name: string): void {
    if (this.#entries.has(name) || this.#left.has(name) || this.#folders.has(name))
      throw new ArchiveError(`${shown(name)}: the archive has two entries of this name.`);
  }

  /** @throws ArchiveError when all entries together have more bytes than they may */
  grow(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > maxGrowthOfAll * this.#maxBytes) {
      throw new ArchiveError(`The archive grows to more than ${maxGrowthOfAll * this.#maxBytes} bytes.`);
    }
  }

  /** The entries by their names, in the archive's order, without the folders around everything. */
  withoutOuterFolders(): Map<string, PlacedEntry<Place>> {
    const [first = ""] = this.#entries.keys();
    let outer = first;
    do outer = outer.slice(0, outer.lastIndexOf("/", outer.length - 2) + 1);
    while (outer !== "" && [...this.#entries.keys()].some((name) => !name.startsWith(outer)));
    if (outer === "") return this.#entries;
    return new Map(
      [...this.#entries.values()].map((entry) => {
        entry.name = entry.name.slice(outer.length);
        return [entry.name, entry];
      }),
    );
  }
}

/** @throws ArchiveError when an entry grows more than it may */
export function checkGrowth(name: string, size: number, packed: number): void {
  if (size > freeGrowth && size > maxGrowth * packed) {
    throw new ArchiveError(`${shown(name)}: the entry grows to more than ${maxGrowth} times its packed size.`);
  }
}

/** A stranger's name in a sentence: on one line, at most 200 characters. */
export function shown(name: string): string {
  const line = name.replace(controls, "\ufffd");
  return line.length > 200 ? `${line.slice(0, 199)}…` : line;
}
