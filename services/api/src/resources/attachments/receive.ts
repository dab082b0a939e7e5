import { invalidInput } from "@parley/contracts";
import type { FilePart, MultipartForm } from "../../http/multipart.js";
import { type AttachmentName, attachmentKey } from "../../storage/keys.js";
import type { FileStorage } from "../../storage/storage.js";
import { inspect } from "./inspect.js";
import { attachmentsMax } from "./limits.js";
import { createStoredName, toFilename } from "./names.js";

/** A file that is stored and has no row yet. */
export interface ReceivedFile extends AttachmentName {
  filename: string;
  file_size: number;
  mime_type: string;
  width: number | null;
  height: number | null;
}

export const noFiles = "No files provided";
export const tooMany = `Messages may not have more than ${attachmentsMax} attachments`;
const fieldNames = new Set(["files", "file"]);

/**
 * Stores the files of a form in the order sent.
 *
 * @param received filled as files are stored, so that a failure leaves known what is to be discarded
 * @throws ServiceError 400 of docs/interface.md#7.6, 503 when the storage fails
 */
export async function receiveFiles(
  form: MultipartForm,
  target: { messageId: string; existing: number; storage: FileStorage },
  received: ReceivedFile[],
): Promise<void> {
  const { messageId: message_id, existing, storage } = target;

  const receive = async ({ filename: sent, content }: FilePart) => {
    if (existing + received.length >= attachmentsMax) throw invalidInput(tooMany);
    const file = await inspect(content);
    const filename = toFilename(sent);
    const name = { message_id, stored_name: createStoredName(filename) };
    await storage.put(attachmentKey(name), file.content);
    const { width = null, height = null } = file.dimensions ?? {};
    received.push({ ...name, filename, file_size: file.size(), mime_type: file.mimeType, width, height });
  };

  await form.read({ onFile: async (part) => (fieldNames.has(part.name) ? receive(part) : undefined) });
  if (received.length === 0) throw invalidInput(noFiles);
}
