import { createHash } from "node:crypto";

const nameLengthMax = 32;

/**
 * The name of the command of ours for a path. Commands here are flat, and their names plain (docs/protocol/apps.md#25.2): a
 * subcommand is a command of its own, whose name is its path with hyphens.
 */
export const ownNameOf = (path: readonly string[]): string => plainName(path.join("-"));

/** Names of text commands and of options: Discord's pattern, in small letters where the script has them. */
export const isTextName = (name: string): boolean =>
  /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u.test(name) && name === name.toLowerCase();

/** A name of any script as one of `a–z 0–9 _ -`; one that would lose something gets a hash of itself. */
export function plainName(name: string): string {
  if (/^[a-z0-9_-]{1,32}$/.test(name)) return name;
  const plain = name.toLowerCase().replaceAll(/[^a-z0-9_-]+/g, "-");
  const hash = createHash("sha256").update(name).digest("hex").slice(0, 6);
  return `${plain.slice(0, nameLengthMax - hash.length - 1)}-${hash}`;
}
