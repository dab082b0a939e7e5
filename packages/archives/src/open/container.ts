import type { Readable } from "node:stream";
import type { PlacedEntry } from "./entries.js";

/** What is opened: a zip, a tar, a folder or a file. */
export interface Container {
  entries: ReadonlyMap<string, PlacedEntry<unknown>>;
  /** The bytes of one of `entries`. */
  open(entry: PlacedEntry<unknown>): Promise<Readable>;
  close(): Promise<void>;
}
