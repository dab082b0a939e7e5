import { attachmentsMax, errorTexts, invalidInput } from "@parley/contracts";
import type { FilePart, MultipartForm } from "../http/multipart.js";
import { inspect } from "./inspect.js";
import { createStoredName, toFilename } from "./names.js";
import { metered, type Reservation } from "./quotas/reservations.js";
import { type AttachmentFolder, type AttachmentPlace, storedKey } from "./storage/keys.js";
import type { FileStorage } from "./storage/storage.js";

/** A file that is stored and has no row yet. */
export interface ReceivedFile extends AttachmentPlace {
  filename: string;
  file_size: number;
  mime_type: string;
  width: number | null;
  height: number | null;
  /** It is a copy of a file of the message that its message forwards. */
  forwarded?: true;
}

/** Where files are stored. */
export interface FileTarget {
  storage: Pick<FileStorage, "put">;
  folder: AttachmentFolder;
  /** The id of the message, or of the upload. */
  folderId: string;
  room: Pick<Reservation, "take" | "takesEveryKind">;
}

/** `files[0]` and its like are how other services name them. */
const fieldName = /^(?:files?|files\[\d+\])$/;

/** Whether a part of a form is a file to be attached; other parts with files are ignored. */
export const isAttached = ({ name }: FilePart): boolean => fieldName.test(name);

/**
 * Stores a file.
 *
 * @param target where, and how many attachments its message has already
 * @throws ServiceError 400 of docs/protocol/messages.md#7.6 and docs/protocol/storage.md#34.3, 503 when the storage fails
 */
export async function receiveFile(
  { filename: sent, content }: FilePart,
  { folder, folderId: folder_id, existing, storage, room }: FileTarget & { existing: number },
): Promise<ReceivedFile> {
  if (existing >= attachmentsMax) throw invalidInput(errorTexts.attachments_limit_reached(attachmentsMax));
  const file = await inspect(content, room.takesEveryKind);
  const filename = toFilename(sent);
  const place = { folder, folder_id, stored_name: createStoredName(filename) };
  await storage.put(storedKey(place), metered(file.content, room));
  const { width = null, height = null } = file.dimensions ?? {};
  return { ...place, filename, file_size: file.size(), mime_type: file.mimeType(), width, height };
}

/**
 * Stores the files of a form in the order sent.
 *
 * @param received filled as files are stored, so that after a failure the caller knows the files to discard
 * @throws ServiceError 400 of docs/protocol/messages.md#7.6 and docs/protocol/storage.md#34.3, 503 when the storage fails
 */
export async function receiveFiles(
  form: MultipartForm,
  target: FileTarget & { existing: number },
  received: ReceivedFile[],
): Promise<void> {
  await form.read({
    async onFile(part) {
      if (!isAttached(part)) return;
      received.push(await receiveFile(part, { ...target, existing: target.existing + received.length }));
    },
  });
  if (received.length === 0) throw invalidInput(errorTexts.files_required);
}
