import { pluralsOf } from "../grammar/plurals.js";

const plural = pluralsOf<"one" | "other">("de");

/** A number with its noun, in its singular and its plural. */
export const counted = (count: number, one: string, other: string): string =>
  plural(count, { one: `# ${one}`, other: `# ${other}` });

/** A number alone. */
export const number = (count: number): string => plural(count, { one: "#", other: "#" });
