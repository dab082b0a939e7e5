import { ArchiveError } from "../archive.js";
import type { ZulipReaction } from "./schema.js";

/** Reactions that are in memory, as the export has them apart from their messages. */
const maxReactions = 5_000_000;

/** Different emoji of one archive. */
const maxKinds = 100_000;

/** An emoji that people reacted with. */
export interface ReactionKind {
  name: string;
  code: string;
  type: string;
}

/** The reactions of an archive in columns: 20 bytes each. */
export class ZulipReactions {
  readonly #kinds: ReactionKind[] = [];
  readonly #kindPlaces = new Map<string, number>();
  #length = 0;
  #messages = new Float64Array(1024);
  #people = new Float64Array(1024);
  #emoji = new Uint32Array(1024);
  #order: Uint32Array | null = null;

  add({ message, user_profile, emoji_name: name, emoji_code: code, reaction_type: type }: ZulipReaction): void {
    if (this.#length === this.#messages.length) this.#grow();
    this.#messages[this.#length] = message;
    this.#people[this.#length] = user_profile;
    this.#emoji[this.#length] = this.#kind({ name, code, type });
    this.#length += 1;
    this.#order = null;
  }

  /** The emoji of Unicode that people reacted with, by their names. */
  *names(): Generator<ReactionKind> {
    for (const kind of this.#kinds) if (kind.type === "unicode_emoji") yield kind;
  }

  /** The reactions to a message by emoji, in the order of the archive. */
  of(message: number): Map<ReactionKind, string[]> {
    this.#order ??= Uint32Array.from({ length: this.#length }, (_, at) => at).sort(
      (a, b) => (this.#messages[a] as number) - (this.#messages[b] as number) || a - b,
    );
    const order = this.#order;
    const messageAt = (place: number) => this.#messages[order[place] as number] as number;
    let [low, high] = [0, order.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (messageAt(middle) < message) low = middle + 1;
      else high = middle;
    }
    const found = new Map<ReactionKind, string[]>();
    for (; low < order.length && messageAt(low) === message; low += 1) {
      const at = order[low] as number;
      const kind = this.#kinds[this.#emoji[at] as number] as ReactionKind;
      found.set(kind, [...(found.get(kind) ?? []), String(this.#people[at])]);
    }
    return found;
  }

  #kind(kind: ReactionKind): number {
    const key = JSON.stringify(kind);
    const known = this.#kindPlaces.get(key);
    if (known !== undefined) return known;
    const place = this.#kinds.push(kind) - 1;
    if (place === maxKinds) throw new ArchiveError(`The archive has reactions of more than ${maxKinds} kinds.`);
    this.#kindPlaces.set(key, place);
    return place;
  }

  #grow(): void {
    if (this.#length >= maxReactions) throw new ArchiveError(`The archive has more than ${maxReactions} reactions.`);
    const length = Math.min(2 * this.#length, maxReactions);
    const [messages, people, emoji] = [this.#messages, this.#people, this.#emoji];
    this.#messages = new Float64Array(length);
    this.#people = new Float64Array(length);
    this.#emoji = new Uint32Array(length);
    this.#messages.set(messages);
    this.#people.set(people);
    this.#emoji.set(emoji);
  }
}
