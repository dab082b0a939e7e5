import { cleanText } from "../clean-text.js";
import type { FormText } from "../form-parts.js";
import { insideParts, literally, outsideCode, replaced } from "../text-parts.js";

const customEmoji = /:([a-z0-9_-]{1,32}):(?!\/\/)/g;
const everybody = /(?<![\p{L}\p{Nd}_\-./@])@(everyone|here)(?![A-Za-z0-9_])/gu;

/** A message's text, and who is mentioned in it. */
interface WrittenText {
  content: string;
  /** External ids by the account names that the text has. */
  mentioned: ReadonlyMap<string, string>;
  everyone: boolean;
  here: boolean;
}

/**
 * The text of a message with its names.
 *
 * @param emoji external ids of own emoji by their names
 */
export function parleyText(
  { content, mentioned, everyone, here }: WrittenText,
  emoji: ReadonlyMap<string, string>,
): FormText {
  const longestFirst = [...mentioned.keys()].sort((a, b) => b.length - a.length).map(literally);
  // A name ends before what no name has, or before a hyphen (section 7.1).
  const people = new RegExp(`(?<![\\p{L}\\p{Nd}_\\-./@])@(${longestFirst.join("|")})(?![A-Za-z0-9_])`, "gu");
  return outsideCode(cleanText(content), (plain) => {
    const withPeople =
      mentioned.size === 0
        ? [plain]
        : replaced(plain, people, ([, name = ""]) => ({ person: mentioned.get(name) ?? "" }));
    const withAll = insideParts(withPeople, (words) =>
      replaced(words, everybody, ([, name]) => {
        if (name === "here") return here ? { everyone: "here" } : null;
        return everyone ? { everyone: "everyone" } : null;
      }),
    );
    if (emoji.size === 0) return withAll;
    return insideParts(withAll, (words) =>
      replaced(words, customEmoji, ([, name = ""]) => {
        const own = emoji.get(name);
        return own === undefined ? null : { emoji: own };
      }),
    );
  });
}
