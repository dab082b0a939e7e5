import type { DetailedMessage } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import { toAttachment } from "../../files/attachment.js";
import type { FileUrls } from "../../files/signed-urls.js";
import { FairQueue } from "../../load/fair-queue.js";
import { findDetails, type MessageRow } from "./repository.js";
import { toMessages } from "./resource.js";
import type { Include } from "./schema.js";

/**
 * Reads of the details of lists of messages, per process. A read counts every reaction of its messages,
 * of which there may be thousands, so few run at a time: the other database connections stay free for other requests.
 */
export const detailReads = { runningMax: 4, waitingMax: 1_000, waitingPerTenantMax: 100, waitMaxMs: 30_000 } as const;

/** A deleted message shows whose it was. */
const ofDeleted = { reactions: [], attachments: [], previews: [] };

/** The viewer and the details that they requested. */
export interface Wanted {
  viewerId: string;
  include: Include;
}

/**
 * Creates the function that adds the requested details to messages (docs/interface.md#7.1), with one statement for all
 * messages of a list.
 */
export function createMessageDetails({ database, urls }: { database: Database; urls: FileUrls }) {
  const queue = new FairQueue(detailReads);

  const read = async (rows: readonly MessageRow[], { viewerId, include }: Wanted) => {
    const reactionsOf = include.includes("reactions") ? viewerId : null;
    const wanted = {
      reactionsOf,
      attachments: include.includes("attachments"),
      author: include.includes("author"),
      previews: include.includes("previews"),
    };
    const found = await queue.run(viewerId, () => findDetails(database, rows, wanted));
    return new Map(found.map((row) => [row.id, row]));
  };

  return async (rows: readonly MessageRow[], wanted: Wanted): Promise<DetailedMessage[]> => {
    const { viewerId, include } = wanted;
    const messages = await toMessages(database, rows, { viewerId, urls });
    if (include.length === 0 || messages.length === 0) return messages;
    const details = await read(rows, wanted);
    return messages.map((message, index) => {
      const found = details.get(message.id);
      const { reactions, attachments, previews } = found === undefined || message.deleted ? ofDeleted : found;
      const { server_id } = rows[index] ?? {};
      return {
        ...message,
        ...(include.includes("reactions") && reactions !== null ? { reactions } : {}),
        ...(include.includes("attachments") && attachments !== null
          ? { attachments: attachments.map((row) => toAttachment(row, urls)) }
          : {}),
        ...(include.includes("previews") && previews !== null ? { previews } : {}),
        ...(include.includes("author") ? { server_id, author: found?.author ?? null } : {}),
      };
    });
  };
}

/** Converts rows to messages for a viewer, with the requested details. */
export type MessageDetails = ReturnType<typeof createMessageDetails>;
