import { z } from "zod";
import { clearableText, isStorableText, type TextBounds, text, trimWhiteSpace } from "./text.js";

/** An emoji of several characters, in which those that show nothing by themselves have a meaning. */
const emoji = [
  /[#*0-9]\ufe0f\u20e3/,
  /\u{1f3f4}[\u{e0061}-\u{e007a}]{5}\u{e007f}/u,
  /\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?(?:\u200d\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?)*/u,
];

/** Characters that change the direction of their neighbours, control, or show nothing. */
const hidden = /[\p{Cc}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\ufeff]/u;

const emojiOrHidden = new RegExp(`(${emoji.map(({ source }) => source).join("|")})|${hidden.source}`, "gu");
const blanks = /[\s\u0085]+/g;
const lineBreak = /[\n\v\f\r\u0085\u2028\u2029\t]/;

/** White space to the eye, though Unicode counts it as letters or symbols. */
const drawnBlanks = /[\u2800\u{1d159}\u{13441}\u{13442}]/gu;
const showsSomething = /[\p{L}\p{N}\p{P}\p{S}]/u;

/**
 * A name as people see it (docs/protocol/requests.md#1.3): in NFC, on one line, without characters that control, change
 * directions or show nothing, except inside of an emoji.
 *
 * @param name any text
 * @returns the empty text when nothing is to be seen
 */
export function visibleName(name: string): string {
  const line = trimWhiteSpace(
    name
      .replace(blanks, (run) => (lineBreak.test(run) ? " " : run))
      .replace(drawnBlanks, " ")
      .replace(emojiOrHidden, (_, kept?: string) => kept ?? "")
      .normalize("NFC"),
  );
  return showsSomething.test(line) ? line : "";
}

/** The result of {@link visibleName}; undefined when a given name shows nothing. */
function readName(given: string): string | undefined {
  // Stays as it is, so that a later check refuses it.
  if (!isStorableText(given)) return given;
  const name = visibleName(given);
  return name === "" && trimWhiteSpace(given) !== "" ? undefined : name;
}

const readNameOr = (message: string) => (given: string, context: z.RefinementCtx) => {
  const name = readName(given);
  if (name !== undefined) return name;
  context.addIssue(message);
  return z.NEVER;
};

/** A name that people see in lists: as {@link visibleName} leaves it, within bounds counted afterwards. */
export function nameText(bounds: TextBounds) {
  return z
    .string(bounds.message)
    .transform(readNameOr(bounds.message))
    .pipe(text(bounds))
    .meta({
      ...(bounds.min > 0 ? { minLength: bounds.min } : {}),
      maxLength: bounds.max,
      description: "Trimmed, on one line, without invisible characters",
    });
}

/**
 * The same, nullable: empty and blank become null.
 *
 * @param max bound in code points
 * @param message text of the 400 answer
 */
export function clearableName(max: number, message: string) {
  return z
    .string(message)
    .transform(readNameOr(message))
    .nullable()
    .pipe(clearableText(max, message))
    .meta({ maxLength: max, description: "Trimmed, on one line, without invisible characters; empty for none" });
}
