import type { english } from "./english.js";
import type { englishStart } from "./english-start.js";

/** The same texts in any words: each stays a text, or a function of the same values. */
type InAnyWords<Part> = Part extends (...values: infer Values) => string
  ? (...values: Values) => string
  : Part extends string
    ? string
    : { readonly [Name in keyof Part]: InAnyWords<Part[Name]> };

/** The texts of the first load. */
export type StartTexts = InAnyWords<typeof englishStart>;

/** The texts that come with the screens of a logged-in user. */
export type ScreenTexts = InAnyWords<typeof english>;

/** The texts of every language: those of the English catalogue. A language that lacks one fails the type check. */
export type Texts = StartTexts & ScreenTexts;
