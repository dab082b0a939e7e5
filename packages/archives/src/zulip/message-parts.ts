import { cleanName } from "../clean-text.js";
import type { FormPoll } from "../form-parts.js";

const optionsMax = 10;

/** Whether a history of edits has one of the text; a message that was moved was not edited. */
export function wasEdited(history: unknown): boolean {
  let edits = history;
  if (typeof history === "string") {
    try {
      edits = JSON.parse(history);
    } catch {
      return false;
    }
  }
  return (
    Array.isArray(edits) && edits.some((edit) => typeof edit === "object" && edit !== null && "prev_content" in edit)
  );
}

/** A poll with options that a poll here may have. */
export function pollOf(content: string): FormPoll | null {
  const [first = "", ...rest] = content.split("\n");
  const [, question = ""] = /^\/poll\s+(.+)$/.exec(first.trim()) ?? [];
  const options = rest.map((line) => cleanName(line.replace(/^\s*[-*]?\s*/, ""))).filter((option) => option !== "");
  const isShort = [...question].length <= 500 && options.every((option) => [...option].length <= 200);
  if (question === "" || options.length < 2 || options.length > optionsMax || !isShort) return null;
  return {
    question: cleanName(question),
    options: options.map((text) => ({ text, voters: [] })),
    multiple: false,
    closesAt: null,
    namelessVotes: 0,
  };
}
