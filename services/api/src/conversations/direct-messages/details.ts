import type { DmMessage } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import { toAttachment } from "../../platform/files/attachment.js";
import type { FileUrls } from "../../platform/files/signed-urls.js";
import { FairQueue } from "../../platform/load/fair-queue.js";
import { type DetailSelection, detailReads } from "../messages/details.js";
import { findDmDetails } from "./message-repository.js";
import { type DmMessageRow, toDmMessage } from "./resource.js";

/** Creates the function that adds the requested details to direct messages, as `createMessageDetails` does to others. */
export function createDirectDetails({ database, urls }: { database: Database; urls: FileUrls }) {
  const queue = new FairQueue(detailReads);
  return async (rows: readonly DmMessageRow[], { viewerId, include }: DetailSelection): Promise<DmMessage[]> => {
    if (include.length === 0 || rows.length === 0) return rows.map(toDmMessage);
    const wanted = {
      reactionsOf: include.includes("reactions") ? viewerId : null,
      attachments: include.includes("attachments"),
      author: include.includes("author"),
    };
    const found = await queue.run(viewerId, () => findDmDetails(database, rows, wanted));
    const details = new Map(found.map((row) => [row.id, row]));
    return rows.map((row) => {
      const { reactions = null, attachments = null, author = null } = details.get(row.id) ?? {};
      return {
        ...toDmMessage(row),
        ...(reactions === null ? {} : { reactions }),
        ...(attachments === null ? {} : { attachments: attachments.map((file) => toAttachment(file, urls)) }),
        ...(wanted.author ? { author } : {}),
      };
    });
  };
}

/** Converts rows to direct messages for a viewer, with the requested details. */
export type DirectDetails = ReturnType<typeof createDirectDetails>;
