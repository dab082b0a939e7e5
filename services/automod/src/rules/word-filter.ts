/** Finds filtered words in texts. */
export interface WordMatcher {
  /**
   * The word that was inserted first among those that the text contains (docs/protocol/automod.md#11.2, rule 4).
   *
   * @param text lower-cased
   * @returns its index in the list, -1 for none
   */
  find(text: string): number;
  /** Size of the automaton. */
  readonly bytes: number;
}

/** Steps of building between two pauses for other work: well below a millisecond. */
const stepsBetweenYields = 512;

/**
 * An Aho-Corasick automaton in flat arrays: one pass over the text whatever the number of words.
 *
 * Libraries report every occurrence of every word, which is quadratic for words and texts of one repeated letter. Here
 * each state stores the earliest-inserted word that ends in it, so a search takes one step per character and allocates
 * no list.
 *
 * Characters are UTF-16 units: in well-formed text, a unit-wise match of a well-formed word is a match of code points.
 *
 * @param words lower-cased, not empty, in the order of insertion
 */
export function createWordMatcher(words: readonly string[]): WordMatcher {
  const building = buildWordMatcher(words);
  for (;;) {
    const step = building.next();
    if (step.done) return step.value;
  }
}

/**
 * {@link createWordMatcher} in short steps: a list of 1,000 words of 100 characters takes 0.1 s, during which other
 * verdicts must not wait.
 */
export function* buildWordMatcher(words: readonly string[]): Generator<void, WordMatcher, void> {
  const trie = yield* buildTrie(words);
  const failure = yield* linkFailures(trie);
  const { edges, earliest } = trie;

  return {
    bytes: edges.bytes + earliest.byteLength + failure.byteLength,
    find(text) {
      let state = 0;
      let found = none;
      for (let index = 0; index < text.length; index += 1) {
        const unit = text.charCodeAt(index);
        let next = edges.get(state, unit);
        while (next === 0 && state !== 0) {
          state = failure[state] ?? 0;
          next = edges.get(state, unit);
        }
        state = next;
        found = Math.min(found, earliest[state] ?? none);
      }
      return found === none ? -1 : found;
    },
  };
}

/** Larger than any index of a list. */
const none = 0x7fffffff;

interface Trie {
  edges: EdgeTable;
  /** Per state, the first word that ends in it. */
  earliest: Int32Array;
  parent: Int32Array;
  unit: Uint16Array;
  depth: Uint16Array;
  states: number;
}

function* buildTrie(words: readonly string[]): Generator<void, Trie, void> {
  const statesMax = words.reduce((sum, word) => sum + word.length, 1);
  const edges = new EdgeTable(statesMax);
  const earliest = new Int32Array(statesMax).fill(none);
  const parent = new Int32Array(statesMax);
  const unit = new Uint16Array(statesMax);
  const depth = new Uint16Array(statesMax);
  let states = 1;
  let steps = 0;
  for (const [place, word] of words.entries()) {
    steps += word.length;
    if (steps >= stepsBetweenYields) {
      steps = 0;
      yield;
    }
    let state = 0;
    for (let index = 0; index < word.length; index += 1) {
      const character = word.charCodeAt(index);
      let next = edges.get(state, character);
      if (next === 0) {
        next = states++;
        edges.set(state, character, next);
        parent[next] = state;
        unit[next] = character;
        depth[next] = index + 1;
      }
      state = next;
    }
    earliest[state] = Math.min(earliest[state] ?? none, place);
  }
  return { edges, earliest, parent, unit, depth, states };
}

/** Per state, the longest other state that is a suffix of it; words that end there end here too. */
function* linkFailures({ edges, earliest, parent, unit, depth, states }: Trie): Generator<void, Int32Array, void> {
  const failure = new Int32Array(states);
  // A state's suffixes are shorter than it, so shorter states come first.
  const byDepth = yield* sortByDepth(depth, states);
  // Not `entries()`, which makes an array for each of up to 500,000 states: garbage whose collection holds up verdicts.
  for (let index = 0; index < byDepth.length; index += 1) {
    if (index % stepsBetweenYields === 0) yield;
    const state = byDepth[index] ?? 0;
    const above = parent[state] ?? 0;
    if (above === 0) continue;
    const character = unit[state] ?? 0;
    let candidate = failure[above] ?? 0;
    let target = edges.get(candidate, character);
    while (target === 0 && candidate !== 0) {
      candidate = failure[candidate] ?? 0;
      target = edges.get(candidate, character);
    }
    failure[state] = target;
    earliest[state] = Math.min(earliest[state] ?? none, earliest[target] ?? none);
  }
  return failure;
}

/** The states but the root, by counting how many there are of each depth. */
function* sortByDepth(depth: Uint16Array, states: number): Generator<void, Int32Array, void> {
  /** Per depth, where its next state goes. */
  const places = new Int32Array(0xffff + 2);
  for (let state = 1; state < states; state += 1) {
    const after = (depth[state] ?? 0) + 1;
    places[after] = (places[after] ?? 0) + 1;
    if (state % stepsBetweenYields === 0) yield;
  }
  for (let at = 1; at < places.length; at += 1) places[at] = (places[at] ?? 0) + (places[at - 1] ?? 0);
  yield;
  const sorted = new Int32Array(states - 1);
  for (let state = 1; state < states; state += 1) {
    const own = depth[state] ?? 0;
    const place = places[own] ?? 0;
    sorted[place] = state;
    places[own] = place + 1;
    if (state % stepsBetweenYields === 0) yield;
  }
  return sorted;
}

/** Edges from a state by a character to a state, in one open-addressed table: 12 bytes an edge, half of it filled. */
class EdgeTable {
  readonly #mask: number;
  readonly #from: Int32Array;
  readonly #unit: Uint16Array;
  /** No edge leads to 0, the root: such a slot is free. */
  readonly #to: Int32Array;

  constructor(edgesMax: number) {
    const size = 2 ** Math.ceil(Math.log2(edgesMax * 2 + 1));
    this.#mask = size - 1;
    this.#from = new Int32Array(size);
    this.#unit = new Uint16Array(size);
    this.#to = new Int32Array(size);
  }

  get bytes(): number {
    return this.#from.byteLength + this.#unit.byteLength + this.#to.byteLength;
  }

  /** The state that the edge leads to; 0 without one. */
  get(from: number, unit: number): number {
    return this.#to[this.#slot(from, unit)] ?? 0;
  }

  set(from: number, unit: number, to: number): void {
    const slot = this.#slot(from, unit);
    this.#from[slot] = from;
    this.#unit[slot] = unit;
    this.#to[slot] = to;
  }

  #slot(from: number, unit: number): number {
    let slot = (Math.imul(from, 0x9e3779b1) ^ Math.imul(unit, 0x85ebca6b)) & this.#mask;
    slot = (slot ^ (slot >>> 7)) & this.#mask;
    while (this.#to[slot] !== 0 && (this.#from[slot] !== from || this.#unit[slot] !== unit)) {
      slot = (slot + 1) & this.#mask;
    }
    return slot;
  }
}
