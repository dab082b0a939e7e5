import type { errorTexts } from "@parley/contracts";
import type { errors } from "./english/errors.js";
import type { refusals } from "./english/refusals.js";
import type { Refusal } from "./error-text.js";
import type { programErrors } from "./program-errors.js";

/**
 * Texts of the other errors that people can meet, by code. English has those of the server. `{n}` stands for the first
 * number in the server's text, and `{q}` for its quoted part.
 */
export type ServerErrors = Readonly<
  Record<
    Exclude<keyof typeof errorTexts, keyof typeof errors | keyof typeof refusals | (typeof programErrors)[number]>,
    string
  >
>;

/** Says the texts of `known` and of `translated`, by code. */
export const textsOf =
  (known: Readonly<Record<string, string>>, translated: Readonly<Record<string, string>>) =>
  ({ code, text }: Refusal): string | undefined => {
    const all = { ...translated, ...known };
    const own = Object.hasOwn(all, code) ? all[code] : undefined;
    return own === undefined ? undefined : withValues(own, text);
  };

/** A text of {@link ServerErrors} with the values of the server's own text. */
const withValues = (text: string, said: string): string =>
  text.replace("{n}", () => /\d+/.exec(said)?.[0] ?? "").replace("{q}", () => /'[^']*'/.exec(said)?.[0] ?? "");
