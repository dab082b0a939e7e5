import { expect, test } from "vitest";
import type { FilePart } from "../http/multipart.js";
import { unlimited } from "./quotas/reservations.js";
import { receiveFile } from "./receive.js";
import type { FileStorage } from "./storage/storage.js";

const chunkBytes = 64 * 1024;
/** Bytes of a file that are read before any is stored: enough to recognise its type. */
const headBytes = 256 * 1024;

test("of a file that is uploaded no more is in memory than its head and one chunk", async () => {
  const counts = { read: 0, stored: 0, most: 0 };
  async function* source() {
    for (let count = 0; count < 100; count += 1) {
      counts.read += chunkBytes;
      counts.most = Math.max(counts.most, counts.read - counts.stored);
      yield Buffer.alloc(chunkBytes, "text ");
    }
  }
  const storage: Pick<FileStorage, "put"> = {
    async put(_key, content) {
      for await (const chunk of content) {
        // The storage is slower than the network: it takes the next chunk in a later turn.
        await new Promise(setImmediate);
        counts.stored += chunk.length;
      }
    },
  };
  const part: FilePart = { name: "files", filename: "large.txt", content: source() };
  const target = { folder: "attachments", folderId: "1", existing: 0, storage, room: unlimited } as const;
  expect((await receiveFile(part, target)).file_size).toBe(100 * chunkBytes);
  expect(counts.stored).toBe(100 * chunkBytes);
  expect(counts.most).toBeLessThanOrEqual(headBytes + chunkBytes);
});
