import { failureTtlSeconds, keptBytesMax, pictureTtlSeconds } from "./limits.js";

/** A picture of a third party. */
export interface Picture {
  type: string;
  bytes: Buffer;
}

/** Bytes that an entry counts beside its picture. */
const entryBytes = 1_000;

/** The pictures that were asked for last, and where there are none (null), within a bound of memory. */
export class KeptPictures {
  readonly #entries = new Map<string, { picture: Picture | null; endsAt: number }>();
  #bytes = 0;

  /** @returns undefined when it has to be fetched */
  get(url: string): Picture | null | undefined {
    const entry = this.#entries.get(url);
    if (entry === undefined) return undefined;
    this.#drop(url);
    if (entry.endsAt <= Date.now()) return undefined;
    this.#add(url, entry);
    return entry.picture;
  }

  put(url: string, picture: Picture | null): void {
    this.#drop(url);
    const seconds = picture === null ? failureTtlSeconds : pictureTtlSeconds;
    this.#add(url, { picture, endsAt: Date.now() + seconds * 1_000 });
    for (const [oldest] of this.#entries) {
      if (this.#bytes <= keptBytesMax) break;
      this.#drop(oldest);
    }
  }

  #add(url: string, entry: { picture: Picture | null; endsAt: number }): void {
    this.#entries.set(url, entry);
    this.#bytes += sizeOf(entry.picture);
  }

  #drop(url: string): void {
    const entry = this.#entries.get(url);
    if (entry !== undefined && this.#entries.delete(url)) this.#bytes -= sizeOf(entry.picture);
  }
}

const sizeOf = (picture: Picture | null) => entryBytes + (picture?.bytes.length ?? 0);
