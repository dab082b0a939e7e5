const space = /^\s?$/u;
const punctuation = /[\p{P}\p{S}]/u;
/** Letters and signs of scripts that put no blanks between words. */
const wordless =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}\p{sc=Yi}\u3000-\u303f\ufe30-\ufe4f\uff00-\uffef]/u;

/** Which side of a run of marks may be a text that it opens or closes. */
export interface Flanks {
  left: boolean;
  right: boolean;
  isAfterPunctuation: boolean;
  isBeforePunctuation: boolean;
}

/**
 * The flanks of a run of `*`, `_` or `~` by CommonMark, where signs of Chinese, Japanese and Korean count as letters, and
 * their letters may stand beside any punctuation: these scripts have no blanks there.
 *
 * @param before whole character before the run, empty at the beginning
 * @param after whole character behind the run, empty at the end
 */
export function flanksOf(before: string, after: string): Flanks {
  const isAfterSpace = space.test(before);
  const isBeforeSpace = space.test(after);
  const isAfterPunctuation = isPunctuation(before);
  const isBeforePunctuation = isPunctuation(after);
  const isAfterWordless = wordless.test(before);
  const isBeforeWordless = wordless.test(after);
  return {
    left:
      !isBeforeSpace &&
      (!isBeforePunctuation || isBeforeWordless || isAfterSpace || isAfterPunctuation || isAfterWordless),
    right:
      !isAfterSpace &&
      (!isAfterPunctuation || isAfterWordless || isBeforeSpace || isBeforePunctuation || isBeforeWordless),
    isAfterPunctuation,
    isBeforePunctuation,
  };
}

/** Emoji and other characters of two units count as letters: `**a😀**b` is bold. */
const isPunctuation = (character: string): boolean => character.length === 1 && punctuation.test(character);

/** Whether a run of a sign with these flanks may open, and may close. */
export function sidesOf(sign: string, flanks: Flanks): { opens: boolean; closes: boolean } {
  const { left, right, isAfterPunctuation, isBeforePunctuation } = flanks;
  if (sign !== "_") return { opens: left, closes: right };
  return { opens: left && (!right || isAfterPunctuation), closes: right && (!left || isBeforePunctuation) };
}
