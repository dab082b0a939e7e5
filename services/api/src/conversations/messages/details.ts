import type { DetailedMessage } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import { toAttachment } from "../../platform/files/attachment.js";
import type { FileUrls } from "../../platform/files/signed-urls.js";
import { FairQueue } from "../../platform/load/fair-queue.js";
import { type DescribedMessage, findDetails, type MessageRow } from "./repository.js";
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
export interface DetailSelection {
  viewerId: string;
  include: Include;
}

type Details = Pick<DetailedMessage, "reactions" | "attachments" | "previews" | "server_id" | "author">;

/**
 * Creates the function that reads the keys that messages have for the requested details (docs/interface.md#7.1), with one
 * statement for all messages of a list.
 */
export function createDetailKeys({ database, urls }: { database: Database; urls: FileUrls }) {
  const queue = new FairQueue(detailReads);

  const read = async (messages: readonly DescribedMessage[], { viewerId, include }: DetailSelection) => {
    const reactionsOf = include.includes("reactions") ? viewerId : null;
    const wanted = {
      reactionsOf,
      attachments: include.includes("attachments"),
      author: include.includes("author"),
      previews: include.includes("previews"),
    };
    const found = await queue.run(viewerId, () => findDetails(database, messages, wanted));
    return new Map(found.map((row) => [row.id, row]));
  };

  return async (messages: readonly DescribedMessage[], wanted: DetailSelection): Promise<Details[]> => {
    const { include } = wanted;
    if (include.length === 0 || messages.length === 0) return messages.map(() => ({}));
    const details = await read(messages, wanted);
    return messages.map(({ id, server_id, deleted }) => {
      const found = details.get(id);
      const { reactions, attachments, previews } = found === undefined || deleted === true ? ofDeleted : found;
      return {
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

/** Reads the keys of the details of messages. */
export type DetailKeys = ReturnType<typeof createDetailKeys>;

/** Creates the function that converts rows to messages for a viewer, with the requested details. */
export function createMessageDetails({
  database,
  urls,
  detailKeys,
}: {
  database: Database;
  urls: FileUrls;
  detailKeys: DetailKeys;
}) {
  return async (rows: readonly MessageRow[], wanted: DetailSelection): Promise<DetailedMessage[]> => {
    const messages = await toMessages(database, rows, { viewerId: wanted.viewerId, urls });
    const details = await detailKeys(rows, wanted);
    return messages.map((message, index) => ({ ...message, ...details[index] }));
  };
}

/** Converts rows to messages for a viewer, with the requested details. */
export type MessageDetails = ReturnType<typeof createMessageDetails>;
