import { type AnySentMessage, errorTexts, notFound, ServiceError } from "@parley/contracts";
import { noSentFiles, type SentFiles } from "../../platform/files/message-form.js";
import type { Reservations } from "../../platform/files/quotas/reservations.js";
import type { DeleteFiles } from "../../platform/files/storage/delete-files.js";
import {
  type AttachmentFolder,
  attachmentKey,
  directAttachmentKey,
  folders,
  storedKey,
} from "../../platform/files/storage/keys.js";
import type { FileStorage } from "../../platform/files/storage/storage.js";
import type { Stores } from "../../platform/http/may.js";
import { FairQueue } from "../../platform/load/fair-queue.js";
import type { SendResult } from "../../platform/nonces/sent.js";
import type { FindAnyMessages } from "../any-message/find.js";
import type { StoredForward } from "../core/forwarded-repository.js";
import type { KindName, MessageAccess } from "../core/kind.js";
import type { MaySendDirect } from "../direct-messages/send.js";
import type { MaySend } from "../messages/send-routes.js";
import { copyFiles } from "./copy-files.js";
import { findFilesToForward } from "./repository.js";
import type { ForwardBody } from "./schema.js";

/** Forwards with files, per process: each copies up to 500 MB. */
const copying = { runningMax: 4, runningPerTenantMax: 1, waitingMax: 100, waitingPerTenantMax: 3, waitMaxMs: 30_000 };
const keyOf = { channel: attachmentKey, direct: directAttachmentKey } as const;

/** Sends what is forwarded to the one place that a request names. */
interface Target {
  folder: AttachmentFolder;
  check(): Promise<unknown>;
  send(parts: {
    content: string;
    nonce: ForwardBody["nonce"];
    forwarded: StoredForward;
    files?: SentFiles;
  }): Promise<SendResult<AnySentMessage>>;
}

/** Forwards messages: a copy of the message of now, in a message of the caller (docs/protocol/later.md#33.4). */
export function createForwards(options: {
  stores: Stores;
  findMessages: FindAnyMessages;
  maySend: MaySend;
  maySendDirect: MaySendDirect;
  storage: FileStorage;
  deleteFiles: DeleteFiles;
  reservations: Reservations;
}) {
  const { stores, findMessages, maySend, maySendDirect, storage, deleteFiles, reservations } = options;
  const queue = new FairQueue(copying);

  const targetOf = (userId: string, { channel_id, dm_channel_id: id = "" }: ForwardBody): Target =>
    channel_id === undefined
      ? {
          folder: folders.directAttachments,
          ...maySendDirect.ask(stores, { userId, session: null, params: { id } }),
        }
      : {
          folder: folders.attachments,
          ...maySend.ask(stores, { userId, session: null, params: { channel_id } }),
        };

  /** @throws ServiceError 404 for a message that was deleted meanwhile */
  const copyOf = async (userId: string, id: string): Promise<{ forwarded: StoredForward; isForward: boolean }> => {
    const message = (await findMessages([id], userId)).get(id);
    if (message === undefined) throw notFound(errorTexts.message_not_found);
    if (message.forwarded !== undefined) {
      const { attachments: _, ...forwarded } = message.forwarded;
      return { forwarded, isForward: true };
    }
    const { channel_id, author = null, content, created_at } = message;
    const server_id = "server_id" in message ? (message.server_id ?? null) : null;
    return { forwarded: { server_id, channel_id, message_id: id, author, content, created_at }, isForward: false };
  };

  return {
    /**
     * Sends a copy of a message that the caller may read.
     *
     * @throws ServiceError by the rights and rules of sending to the target
     */
    async forward(
      kind: KindName,
      { userId, found: { id } }: MessageAccess,
      { content, nonce, ...place }: ForwardBody,
    ): Promise<SendResult<AnySentMessage>> {
      const target = targetOf(userId, { content, nonce, ...place });
      await target.check();
      const { forwarded, isForward } = await copyOf(userId, id);
      const sources = await findFilesToForward(stores.database, kind, { messageId: id, isForward });
      if (sources.length === 0) return target.send({ content, nonce, forwarded });
      const files = noSentFiles(true);
      const deleteCopies = () => deleteFiles(files.received.map(storedKey));
      return queue.run(userId, async () => {
        const channelId = place.channel_id ?? place.dm_channel_id ?? "";
        const length = sources.reduce((sum, { file_size }) => sum + file_size, 0);
        const room = reservations.open({ authorId: userId, channelId }, length);
        const to = { folder: target.folder, keyOf: keyOf[kind], copied: files.received, room };
        try {
          await copyFiles(storage, sources, to);
          const sent = await target.send({ content, nonce, forwarded, files });
          if (!sent.isNew) await deleteCopies();
          return sent;
        } catch (error) {
          // After any other failure the message may be stored all the same; if it is not, the files are orphaned.
          if (error instanceof ServiceError) await deleteCopies();
          throw error;
        } finally {
          await room.end();
        }
      });
    },
  };
}

export type Forwards = ReturnType<typeof createForwards>;
