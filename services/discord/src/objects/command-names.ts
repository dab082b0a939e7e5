import { createHash } from "node:crypto";

/**
 * Commands here are flat, and their names plain (docs/protocol/apps.md#25.2): a subcommand is a command of its own, whose name
 * is its path with hyphens. Signs that nobody sees, behind the description, say which of them divide the path, and that a
 * command is a server's.
 */
const divides = "\u200b";
const belongs = "\u200c";
const ofGuild = "\u2060";
const marks = new RegExp(`[${divides}${belongs}${ofGuild}]*$`, "u");
const descriptionLengthMax = 100;

/** The part of our command that Discord's form needs. */
export interface NamedForm {
  readonly path: readonly string[];
  readonly description: string;
  readonly isGuild: boolean;
}

/** Name and description of the command of ours for a path. */
export function ownNameOf({ path, description, isGuild }: NamedForm): { name: string; description: string } {
  const joined = path.join("-");
  const signs: string[] = [];
  if (path.length > 1) {
    for (const [index, part] of path.entries()) {
      if (index > 0) signs.push(divides);
      for (const _ of part.matchAll(/-/g)) signs.push(belongs);
    }
  }
  if (isGuild) signs.push(ofGuild);
  const shown = [...(description === "" ? "-" : description)].slice(0, descriptionLengthMax - signs.length);
  return { name: plainName(joined), description: shown.join("") + signs.join("") };
}

/** The way back. */
export function formOfName(name: string, description: string): NamedForm {
  const [signs = ""] = marks.exec(description) ?? [];
  const text = description.slice(0, description.length - signs.length);
  const path = [""];
  let at = 0;
  for (const sign of name) {
    const mark = sign === "-" ? signs[at++] : undefined;
    if (mark === divides) path.push("");
    else path[path.length - 1] += sign;
  }
  return { path, description: text, isGuild: signs.endsWith(ofGuild) };
}

const nameLengthMax = 32;

/** A name of any script as one of `a–z 0–9 _ -`; one that would lose something gets a hash of itself. */
export function plainName(name: string): string {
  if (/^[a-z0-9_-]{1,32}$/.test(name)) return name;
  const plain = name.toLowerCase().replaceAll(/[^a-z0-9_-]+/g, "-");
  const hash = createHash("sha256").update(name).digest("hex").slice(0, 6);
  return `${plain.slice(0, nameLengthMax - hash.length - 1)}-${hash}`;
}
