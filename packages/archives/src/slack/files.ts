import type { Archive, Entry } from "../archive.js";
import { cleanName } from "../clean-text.js";
import type { MessageRecord, SkippedRecord } from "../form.js";
import type { FormFile, FormText } from "../form-parts.js";
import { skipped } from "../skipped.js";
import { isBlankText, joinedParts } from "../text-parts.js";
import type { SlackFile, SlackMessage } from "./schema.js";
import { markdownLink } from "./text.js";

const uploaded = [/^__uploads\/([^/]+)\/[^/]+$/, /^[^/]+\/attachments\/([^-/]+)-[^/]+$/];

/** The files that tools have added to an export. */
export class SlackFiles {
  readonly #entries = new Map<string, Entry>();

  constructor(archive: Archive) {
    for (const entry of archive.entries) {
      for (const pattern of uploaded) {
        const id = pattern.exec(entry.name)?.[1];
        if (id !== undefined) this.#entries.set(id, entry);
      }
    }
  }

  /** Hangs a message's files on it; what is kept elsewhere leaves its link. */
  *hang(own: MessageRecord, { files, file }: SlackMessage): Generator<SkippedRecord> {
    for (const given of [...(files ?? []), ...(file ? [file] : [])]) {
      const title = cleanName(given.title || given.name || "") || "file";
      if (given.mode === "quip" || given.mode === "canvas" || given.filetype === "quip") {
        yield skipped("canvas", "no place for it", title);
        continue;
      }
      const address = given.url_private ?? given.permalink;
      if (isElsewhere(given) && address) own.text = withLink(own.text, title, address);
      own.files.push(this.#file(given));
    }
  }

  #file(file: SlackFile): FormFile {
    const name = cleanName(file.name || file.title || "") || "file";
    const entry = isElsewhere(file) || isGone(file) ? undefined : this.#entries.get(file.id ?? "");
    if (entry !== undefined) return { entry: entry.name, name, size: entry.size };
    const missing = isGone(file) ? "deleted or hidden by Slack" : isElsewhere(file) ? "kept elsewhere" : undefined;
    return { entry: null, name, size: 0, ...(missing && { missing }) };
  }
}

const isGone = ({ mode }: SlackFile): boolean => mode === "tombstone" || mode === "hidden_by_limit";
const isElsewhere = ({ mode, is_external }: SlackFile): boolean => mode === "external" || is_external === true;

function withLink(text: FormText, title: string, address: string): FormText {
  if (text.some((part) => typeof part === "string" && part.includes(address))) return text;
  return joinedParts([...text, isBlankText(text) ? "" : "\n", markdownLink(title, address)]);
}
