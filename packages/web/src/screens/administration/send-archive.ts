import type { ParleyClient } from "@parley/client";

/** Bytes of a piece, as the server takes them. */
const partBytes = 32 * 1024 * 1024;
const attemptsMax = 5;
const pauseMs = 2_000;

/**
 * Uploads an archive in pieces; one that is cut off is sent again.
 *
 * @param onProgress called with the bytes that are under way or there
 */
export async function sendArchive(
  client: ParleyClient,
  file: File,
  onProgress: (loaded: number) => void,
): Promise<void> {
  const { id } = await client.admin.beginImport({ size: file.size, filename: file.name });
  for (let start = 0; start < file.size; start += partBytes) {
    const form = new FormData();
    form.append("part", file.slice(start, start + partBytes), "part");
    const number = String(start / partBytes + 1);
    const send = () =>
      client.admin.uploadImportPart(id, number, form, {
        onProgress: ({ loaded }) => onProgress(Math.min(start + loaded, file.size)),
      });
    for (let attempt = 1; ; attempt += 1) {
      try {
        await send();
        break;
      } catch (error) {
        if (attempt === attemptsMax) throw error;
        await new Promise((resolve) => setTimeout(resolve, pauseMs * attempt));
      }
    }
    onProgress(Math.min(start + partBytes, file.size));
  }
}
