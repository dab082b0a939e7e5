import { ServiceError } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import { runScaler } from "../../platform/files/pictures/run-scaler.js";
import type { DeleteFiles } from "../../platform/files/storage/delete-files.js";
import { attachmentKey, directAttachmentKey, thumbnailKey } from "../../platform/files/storage/keys.js";
import { spool } from "../../platform/files/storage/spool.js";
import type { FileStorage } from "../../platform/files/storage/storage.js";
import { type Job, untilNone } from "../../platform/jobs/job.js";
import { type ClaimedPicture, claimPicture, dueThumbnails, setThumbnail } from "./repository.js";

/**
 * Makes the thumbnails of large pictures (docs/protocol/storage.md#34.3), away from the requests that sent these. A trigger
 * notes the pictures with their rows, so whichever process dies, another one makes the thumbnails.
 */
export function makeThumbnails(options: { database: Database; storage: FileStorage; deleteFiles: DeleteFiles }): Job {
  const { database, storage, deleteFiles } = options;

  /** @returns null where there is none: the picture moves, cannot be read, takes too much, or its file is gone */
  const scale = async (key: string, signal: AbortSignal): Promise<Buffer | null> => {
    const content = await storage.get(key);
    if (content === null) return null;
    const file = await spool(content);
    try {
      const how = { mayMove: false, shape: "thumbnail", onEnd: () => undefined, signal } as const;
      const [thumbnail = null] = await runScaler(file, how);
      return thumbnail;
    } catch (error) {
      if (error instanceof ServiceError && !signal.aborted) return null;
      throw error;
    } finally {
      await file.close();
    }
  };

  const make = async (picture: ClaimedPicture, signal: AbortSignal) => {
    const key = picture.kind === "direct" ? directAttachmentKey(picture) : attachmentKey(picture);
    const thumbnail = await scale(key, signal);
    if (thumbnail !== null) {
      // A process that died may have left it.
      await storage.delete(thumbnailKey(key));
      await storage.put(thumbnailKey(key), [thumbnail]);
    }
    const isThere = await setThumbnail(database, picture, thumbnail?.length ?? null);
    // The picture was deleted meanwhile, when no row named the thumbnail.
    if (!isThere && thumbnail !== null) await deleteFiles([thumbnailKey(key)]);
  };

  return {
    name: "thumbnails",
    causes: [],
    when: { due: dueThumbnails },
    async batch({ signal }) {
      const picture = await claimPicture(database);
      if (picture === undefined) return untilNone(0);
      await make(picture, signal);
      return untilNone(1);
    },
  };
}
