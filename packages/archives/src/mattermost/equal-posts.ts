import { createHash } from "node:crypto";

/** Posts whose places are known: those of the same person and millisecond stand near each other. */
const maxPosts = 100_000;

/**
 * Numbers posts of the same channel, person and millisecond. A post that stands twice has one number, also when so many
 * others lie between that the first is forgotten: numbers begin anew then, in the same order.
 */
export class EqualPosts {
  #recent = new Map<string, string[]>();
  #older = new Map<string, string[]>();

  /** @returns 0 for the first content of a key, 1 for the next one */
  numberOf(key: string, content: string): number {
    const hash = createHash("sha1").update(content).digest("base64");
    const hashes = this.#recent.get(key) ?? this.#older.get(key) ?? [];
    const known = hashes.indexOf(hash);
    if (known === -1) hashes.push(hash);
    this.#recent.set(key, hashes);
    if (this.#recent.size > maxPosts) [this.#older, this.#recent] = [this.#recent, new Map()];
    return known === -1 ? hashes.length - 1 : known;
  }
}
