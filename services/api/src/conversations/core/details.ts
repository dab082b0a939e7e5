import type { FileUrls } from "@parley/auth";
import type { DetailedMessage } from "@parley/contracts";
import type { z } from "zod";
import { toAttachment } from "../../platform/files/attachment.js";
import { FairQueue } from "../../platform/load/fair-queue.js";
import type { detailRow } from "./detail-repository.js";
import type { Include } from "./schema.js";

/**
 * Reads of the details of lists of messages, per process and kind. A read counts every reaction of its messages. A
 * message may have thousands, so few reads run at a time: the other database connections stay free for other requests.
 */
const detailReads = { runningMax: 4, waitingMax: 1_000, waitingPerTenantMax: 100, waitMaxMs: 30_000 } as const;

/** A deleted message shows whose it was. */
const ofDeleted = { reactions: [], attachments: [], previews: [] };

/** The viewer and the details that they requested. */
export interface DetailSelection {
  viewerId: string;
  include: Include;
}

/** The same for a statement. */
export interface WantedDetails {
  /** The viewer, null for no reactions. */
  reactionsOf: string | null;
  attachments: boolean;
  author: boolean;
  /** Link cards, which only messages of channels have. */
  previews: boolean;
}

/** A message that details are read of. */
interface MessageKey {
  id: string;
  /** Only for messages of channels. */
  server_id?: string;
  deleted?: boolean;
}

type Details = Pick<DetailedMessage, "reactions" | "attachments" | "previews" | "server_id" | "author">;

/**
 * Creates the function that reads the keys that messages have for the requested details (docs/protocol/messages.md#7.1), with one
 * statement for all messages of a list.
 *
 * @param find runs the statement of the kind
 */
export function createDetailKeys<M extends MessageKey>(
  urls: FileUrls,
  find: (messages: readonly M[], wanted: WantedDetails) => Promise<z.infer<typeof detailRow>[]>,
) {
  const queue = new FairQueue(detailReads);

  return async (messages: readonly M[], { viewerId, include }: DetailSelection): Promise<Details[]> => {
    if (include.length === 0 || messages.length === 0) return messages.map(() => ({}));
    const wanted = {
      reactionsOf: include.includes("reactions") ? viewerId : null,
      attachments: include.includes("attachments"),
      author: include.includes("author"),
      previews: include.includes("previews"),
    };
    const rows = await queue.run(viewerId, () => find(messages, wanted));
    const rowOf = new Map(rows.map((row) => [row.id, row]));
    return messages.map(({ id, server_id, deleted }) => {
      const found = rowOf.get(id);
      const { reactions, attachments, previews } = found === undefined || deleted === true ? ofDeleted : found;
      return {
        ...(wanted.reactionsOf !== null && reactions !== null ? { reactions } : {}),
        ...(wanted.attachments && attachments !== null
          ? { attachments: attachments.map((row) => toAttachment(row, urls)) }
          : {}),
        ...(wanted.previews && previews ? { previews } : {}),
        ...(wanted.author ? { ...(server_id === undefined ? {} : { server_id }), author: found?.author ?? null } : {}),
      };
    });
  };
}

/** Reads the keys of the details of messages. */
export type DetailKeys<M extends MessageKey> = ReturnType<typeof createDetailKeys<M>>;
