import { randomUUID } from "node:crypto";
import { type FileHandle, open, unlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { counted } from "./buffer-garbage.js";
import { isSystemError, storageUnavailable } from "./failure.js";

/**
 * Writes content to a temporary file in constant memory. The file has no name, so it is gone when it is closed, also by
 * a crash.
 *
 * @throws ServiceError `unavailable` when the disk fails or is full; or the error of `content`
 */
export async function spool(content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<FileHandle> {
  const path = join(tmpdir(), `parley-upload-${randomUUID()}`);
  let file: FileHandle | undefined;
  try {
    file = await open(path, "wx+", 0o600);
    await unlink(path);
    await writeFile(file, counted(content));
    return file;
  } catch (error) {
    await file?.close();
    throw isSystemError(error) ? storageUnavailable(error) : error;
  }
}
