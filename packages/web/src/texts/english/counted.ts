import { pluralsOf } from "../grammar/plurals.js";

const plural = pluralsOf<"one" | "other">("en");

/** "1 server", "2 servers": a number with its noun. */
export const counted = (count: number, noun: string, nouns = `${noun}s`): string =>
  plural(count, { one: `# ${noun}`, other: `# ${nouns}` });

/** A number alone. */
export const number = (count: number): string => plural(count, { one: "#", other: "#" });
