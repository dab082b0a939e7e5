import { randomUUID } from "node:crypto";
import { createStoredName } from "../../platform/files/names.js";
import { metered, type Reservation } from "../../platform/files/quotas/reservations.js";
import type { ReceivedFile } from "../../platform/files/receive.js";
import { type AttachmentFolder, storedKey } from "../../platform/files/storage/keys.js";
import type { FileStorage } from "../../platform/files/storage/storage.js";
import type { ForwardedFile } from "./repository.js";

/**
 * Copies files one after the other, in constant memory. One whose bytes are gone is left out.
 *
 * @param to.keyOf where the bytes of a file are
 * @param to.copied filled as copies are stored, so that after a failure the caller knows the files to discard
 * @throws ServiceError 400 of docs/protocol/storage.md#34.3, 503 when the storage fails
 */
export async function copyFiles(
  storage: FileStorage,
  files: readonly ForwardedFile[],
  to: { folder: AttachmentFolder; keyOf: (file: ForwardedFile) => string; copied: ReceivedFile[]; room: Reservation },
): Promise<void> {
  const folder_id = randomUUID();
  for (const file of files) {
    const content = await storage.get(to.keyOf(file));
    if (content === null) continue;
    const { filename, file_size, mime_type, width, height } = file;
    const place = { folder: to.folder, folder_id, stored_name: createStoredName(filename) };
    await storage.put(storedKey(place), metered(content, to.room));
    to.copied.push({ ...place, filename, file_size, mime_type, width, height, forwarded: true });
  }
}
