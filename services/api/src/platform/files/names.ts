import { randomBytes } from "node:crypto";
import { extname } from "node:path";
import { visibleName } from "@parley/contracts";

/** Code points of a name's ending that are kept when the name is cut. */
const extensionLengthMax = 16;

/** Characters of the sanitised name in a stored name (docs/protocol/messages.md#7.6). */
const storedNameLengthMax = 128;

/** Code points of a file's name (docs/protocol/objects.md#4.14). */
const filenameLengthMax = 255;

const nameless = "file";

/**
 * The name under which a file is shown and saved: that of its sender, without forbidden characters.
 *
 * @param sent without folders; undefined when the sender gave none
 */
export function toFilename(sent: string | undefined): string {
  const cleaned = visibleName((sent ?? "").toWellFormed());
  return (/^\.{0,2}$/.test(cleaned) ? "" : cut(cleaned, filenameLengthMax)) || nameless;
}

/** An unguessable name that is safe in addresses and on every file system (docs/protocol/messages.md#7.6). */
export function createStoredName(filename: string): string {
  const safe = cut(filename.replace(/[^A-Za-z0-9._-]+/g, "_"), storedNameLengthMax);
  return `${randomBytes(16).toString("hex")}_${safe}`;
}

/** Cuts in the middle, because the extension determines how the file is opened. */
function cut(name: string, lengthMax: number): string {
  const letters = [...name];
  if (letters.length <= lengthMax) return name;
  const extension = [...extname(name)];
  if (extension.length > extensionLengthMax) return letters.slice(0, lengthMax).join("");
  return letters.slice(0, lengthMax - extension.length).join("") + extension.join("");
}
