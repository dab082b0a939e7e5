import { RE2Set } from "re2js";
import { patternSizeMax } from "./check-pattern.js";

/** Finds out which patterns texts contain. */
export interface PatternSet {
  /**
   * One pass over the text for each automaton of the set, in steps far below a millisecond: also when a text needs many
   * states that no text before it needed, the caller can do other work in between.
   *
   * @returns indexes of the patterns that occur in the text, in ascending order
   */
  search(text: string): Generator<void, number[], void>;
  /** Most memory of the automata. */
  readonly bytes: number;
}

/** The parts of a state in the library's automaton. */
interface State {
  readonly isMatch: boolean;
  readonly matchIDs: readonly number[];
  readonly nfaStates: readonly number[];
}

/** Patterns that are searched in one pass. */
interface Part {
  readonly set: RE2Set;
  /** Index of its first pattern. */
  readonly first: number;
}

/** Instructions of the patterns that one automaton searches, unless one pattern has more: bounds a single step. */
const partSizeMax = patternSizeMax;
/** Work between two pauses, in characters of known states and instructions of new ones. */
const workBetweenYields = 2_000;
/** Memory for the states of an automaton: enough for a small one, and so much more for each instruction. */
const stateBytesBase = 64 * 1024;
const stateBytesPerInstruction = 512;
/** States with their tables that an automaton has room for in any case. */
const statesMin = 4;
/** Memory of an instruction, a state and a table in the library, beside their elements. */
const instructionBytes = 200;
const stateOverheadBytes = 300;
const elementBytes = 8;
/** Neither a character nor a line break: the end of the text. */
const endOfText = -1;

/**
 * Compiles patterns that `checkPattern` accepts, in short steps.
 *
 * @param patterns with the sizes that the check found
 */
export function* buildPatternSet(
  patterns: readonly { pattern: string; size: number }[],
): Generator<void, PatternSet, void> {
  const parts: Part[] = [];
  let bytes = 0;
  for (let first = 0; first < patterns.length; ) {
    const set = new RE2Set();
    let size = 0;
    let next = first;
    for (; next < patterns.length; next += 1) {
      const one = patterns[next];
      if (one === undefined || (size > 0 && size + one.size > partSizeMax)) break;
      set.add(one.pattern);
      size += one.size;
      yield;
    }
    set.compile();
    bytes += size * instructionBytes + limitStates(set, size);
    parts.push({ set, first });
    first = next;
    yield;
  }
  return {
    bytes,
    *search(text) {
      const found: number[] = [];
      const work = { done: 0 };
      for (const { set, first } of parts) {
        for (const index of yield* searchPart(set, text, work)) found.push(first + index);
      }
      return found;
    },
  };
}

/** @returns the bytes that the states of the automaton may take */
function limitStates({ dfa }: RE2Set, size: number): number {
  const largest = stateOverheadBytes + elementBytes * (size + dfa.numClasses);
  dfa.stateBudget = Math.max(stateBytesBase + stateBytesPerInstruction * size, statesMin * largest);
  dfa.memBudget = dfa.stateBudget;
  return dfa.stateBudget;
}

/**
 * `RE2Set.match` does the same in one go, and where states run out of memory it goes on with a slower machine: here the
 * automaton forgets its states and makes those that it needs again.
 */
function* searchPart({ dfa }: RE2Set, text: string, work: { done: number }): Generator<void, number[], void> {
  const found = new Set<number>();
  // The search begins where the text begins: all conditions of a beginning hold.
  let state: State = dfa.start({ context: () => -1, step: () => endOfText }, 0);
  const step = (characterClass: number, character: number) => {
    const before = dfa.stateCount;
    let next: State | null = dfa.step(state, characterClass, character, RE2Set.UNANCHORED);
    if (next === null) next = dfa.step(dfa.resetCache(state), characterClass, character, RE2Set.UNANCHORED);
    if (next === null) throw new Error("An automaton has no room for a state");
    state = next;
    work.done += dfa.stateCount === before ? 1 : 1 + state.nfaStates.length;
    if (state.isMatch) for (const index of state.matchIDs) found.add(index);
  };
  for (let at = 0; at < text.length; ) {
    const character = text.codePointAt(at) ?? endOfText;
    step(dfa.runeClass(character), character);
    at += character > 0xffff ? 2 : 1;
    if (work.done >= workBetweenYields) {
      work.done = 0;
      yield;
    }
  }
  step(dfa.numClasses, endOfText);
  return [...found].sort((a, b) => a - b);
}
