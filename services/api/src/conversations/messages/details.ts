import type { FileUrls } from "@parley/auth";
import type { DetailedMessage } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import type { DetailKeys, DetailSelection } from "../core/details.js";
import type { DescribedMessage, MessageRow } from "./repository.js";
import { toMessages } from "./resource.js";

/** Creates the function that converts rows to messages for a viewer, with the requested details. */
export function createMessageDetails({
  database,
  urls,
  detailKeys,
}: {
  database: Database;
  urls: FileUrls;
  detailKeys: DetailKeys<DescribedMessage>;
}) {
  return async (rows: readonly MessageRow[], wanted: DetailSelection): Promise<DetailedMessage[]> => {
    const messages = await toMessages(database, rows, { viewerId: wanted.viewerId, urls });
    const details = await detailKeys(rows, wanted);
    return messages.map((message, index) => ({ ...message, ...details[index] }));
  };
}

/** Converts rows to messages for a viewer, with the requested details. */
export type MessageDetails = ReturnType<typeof createMessageDetails>;
