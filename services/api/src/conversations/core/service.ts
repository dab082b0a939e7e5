import type { Identity, SessionClaim } from "@parley/auth";
import { type ClientEventName, errorTexts, notFound } from "@parley/contracts";
import type { Database, Queryable, Transaction } from "@parley/database/prisma";
import type { Outbox } from "@parley/outbox";
import type { z } from "zod";
import type { DeleteFiles } from "../../platform/files/storage/delete-files.js";
import { changeMessage } from "./change.js";
import type { DetailSelection } from "./details.js";
import type { AnyMessageRow, Found, Kind, PathIds } from "./kind.js";
import type { HistoryQuery, Include } from "./schema.js";

/** What the messages of a kind are on the wire, and what is done with them in a way of its own. */
export interface MessageKind<Row extends AnyMessageRow, Listed, Edited, Changes> {
  listed: z.ZodType<Listed>;
  /** A message by its id, also a deleted one that is still shown. */
  findMessage(connection: Queryable, messageId: string): Promise<Row | null>;
  details(rows: readonly Row[], wanted: DetailSelection): Promise<Listed[]>;
  readonly history: {
    /** Whether `read` confirms the session. */
    confirmsSession?: true;
    /**
     * @returns the JSON of a page, newest first
     * @throws ServiceError for a channel that the user may not read, and where the session has ended
     */
    read(reader: { userId: string; session: SessionClaim | null }, ids: PathIds, query: HistoryQuery): Promise<string>;
  };
  readonly editing: {
    causes: readonly ClientEventName[];
    body: z.ZodType<Changes>;
    describedBody?: z.ZodType;
    edited: z.ZodType<Edited>;
    /** Texts of the 400s and 403s. */
    invalid: readonly string[];
    forbidden: readonly string[];
    edit(editor: Pick<Identity, "userId" | "kind">, ids: PathIds, changes: Changes): Promise<Edited>;
  };
}

/** Reads and deletes messages that were sent. */
export function createMessages<F extends Found, Row extends AnyMessageRow, Listed, Edited, Changes>(
  kind: Kind<F>,
  { findMessage, details }: MessageKind<Row, Listed, Edited, Changes>,
  { database, outbox, deleteFiles }: { database: Database; outbox: Outbox<Transaction>; deleteFiles: DeleteFiles },
) {
  return {
    /** One message of a channel, also a deleted one that is still shown. */
    async get(userId: string, { message_id = "", ...ids }: PathIds, include: Include): Promise<Listed> {
      const { channelId } = await kind.channel.find(database, userId, ids);
      const row = await findMessage(database, message_id);
      const [message] = row?.channel_id === channelId ? await details([row], { viewerId: userId, include }) : [];
      if (message === undefined) throw notFound(errorTexts.message_not_found);
      return message;
    },

    /** Deletes a message with what belongs to it. */
    async delete(userId: string, ids: PathIds): Promise<void> {
      const find = async (connection: Queryable) => {
        const found = await kind.paths.messages.find(connection, userId, ids);
        kind.deleting.requireMay(found, userId);
        return found;
      };
      const { row } = await find(database);
      await deleteFiles(await changeMessage(outbox, kind, { row, find }, kind.deleting.remove));
    },
  };
}
