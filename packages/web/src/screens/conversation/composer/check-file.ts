import { attachmentBytesMax, attachmentTypes } from "@parley/contracts";
import { texts } from "../../../texts/texts.js";

/** First bytes of a file that distinguish text from other content. */
const headBytes = 4_096;
const accepted = new Set<string>(attachmentTypes);

/**
 * Why the server would refuse a file, as far as the browser knows; null when it may accept it. Browsers name a type by
 * the end of a file's name, which is of no use for text: there the content decides, as it does for the server.
 */
export async function checkFile(file: File): Promise<string | null> {
  const labels = texts.conversation;
  if (file.size > attachmentBytesMax) return labels.fileTooLarge(file.name);
  if (file.size === 0) return labels.fileEmpty(file.name);
  if (file.type === "" || accepted.has(file.type) || (await isText(file))) return null;
  return labels.fileType(file.name);
}

async function isText(file: File): Promise<boolean> {
  const head = new Uint8Array(await file.slice(0, headBytes).arrayBuffer());
  if (head.includes(0)) return false;
  try {
    // A character may go on after the head.
    new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}
