import type { english } from "./english.js";

/** The same texts in any words: each stays a text, or a function of the same values. */
type InAnyWords<Part> = Part extends (...values: infer Values) => string
  ? (...values: Values) => string
  : Part extends string
    ? string
    : { readonly [Name in keyof Part]: InAnyWords<Part[Name]> };

/** What every language has: the texts of the English catalogue. One that lacks a text fails the type check. */
export type Texts = InAnyWords<typeof english>;
