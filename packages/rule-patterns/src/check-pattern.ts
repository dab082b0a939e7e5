import { RE2JS, RE2JSSyntaxException } from "re2js";

/** Most instructions that a pattern compiles to: expanded repetitions count, so that a short pattern stays small. */
export const patternSizeMax = 500;

/** A usable pattern, with its number of instructions, or the fault of the pattern. */
export type PatternCheck = { size: number } | { fault: string; position: number };

/**
 * Compiles a pattern in RE2 syntax.
 *
 * @returns `position` counts characters of the pattern from 1
 */
export function checkPattern(pattern: string): PatternCheck {
  try {
    const size = RE2JS.compile(pattern).programSize();
    return size > patternSizeMax ? { fault: "pattern too large", position: 1 } : { size };
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    return { fault: error.getDescription(), position: positionOf(pattern, error) };
  }
}

/** The library reports the faulty part, not its place: the first such part is the one where reading stopped. */
function positionOf(pattern: string, error: RE2JSSyntaxException): number {
  const part = error.getPattern() ?? "";
  // A missing part is missing at the end.
  const at = part === pattern ? pattern.length : Math.max(0, pattern.indexOf(part));
  return [...pattern.slice(0, at)].length + 1;
}
