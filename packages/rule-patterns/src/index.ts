// Whether a pattern may be used, and why not.
export { checkPattern, type PatternCheck, patternSizeMax } from "./check-pattern.js";
// Searching texts for many patterns at once.
export { buildPatternSet, type PatternSet } from "./pattern-set.js";
