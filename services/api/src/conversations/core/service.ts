import type { Identity } from "@parley/auth";
import { type ClientEventName, errorTexts, notFound } from "@parley/contracts";
import type { Database, Queryable } from "@parley/database/prisma";
import type { z } from "zod";
import type { DeleteFiles } from "../../platform/files/storage/delete-files.js";
import type { May } from "../../platform/http/may.js";
import type { DetailSelection } from "./details.js";
import type { AnyMessageRow, Kind, MessageAccess, PathIds, ReadChannel } from "./kind.js";
import type { ToMessage } from "./may.js";
import type { HistoryQuery, Include } from "./schema.js";

/** @throws ServiceError for a channel that the user may not read, and where the session has ended */
export type ReadPage = (query: HistoryQuery) => Promise<string>;

/** The parts of a kind of messages that differ on the wire or in their handling. */
export interface MessageKind<F extends MessageAccess, Row extends AnyMessageRow, Item, Answer, Changes> {
  listed: z.ZodType<Item>;
  /** A message by its id, also a deleted one that is still shown. */
  findMessage(connection: Queryable, messageId: string): Promise<Row | null>;
  details(rows: readonly Row[], wanted: DetailSelection): Promise<Item[]>;
  readonly history: {
    /** Whether it confirms the session. */
    confirmsSession?: true;
    /** The right to read pages, newest first, each as its JSON. */
    may: May<PathIds, ReadPage>;
  };
  readonly editing: {
    causes: readonly ClientEventName[];
    body: z.ZodType<Changes>;
    describedBody?: z.ZodType;
    edited: z.ZodType<Answer>;
    /** Texts of the 400s and 403s. */
    invalid: readonly string[];
    forbidden: readonly string[];
    may: May<PathIds, ToMessage<F>>;
    edit(may: ToMessage<F>, editor: Pick<Identity, "kind">, changes: Changes): Promise<Answer>;
  };
}

/** Reads and deletes messages that were sent. */
export function createMessages<F extends MessageAccess, Row extends AnyMessageRow, Item, Answer, Changes>(
  kind: Kind<F>,
  { findMessage, details }: MessageKind<F, Row, Item, Answer, Changes>,
  { database, deleteFiles }: { database: Database; deleteFiles: DeleteFiles },
) {
  return {
    /** One message of a channel, also a deleted one that is still shown. */
    async get({ userId, channel }: ReadChannel, messageId: string, include: Include): Promise<Item> {
      const row = await findMessage(database, messageId);
      const [message] = row?.channel_id === channel.id ? await details([row], { viewerId: userId, include }) : [];
      if (message === undefined) throw notFound(errorTexts.message_not_found);
      return message;
    },

    /** Deletes a message with its dependent rows and files. */
    async delete(may: ToMessage<F>): Promise<void> {
      await deleteFiles(await may.change(kind.deleting.remove));
    },
  };
}
