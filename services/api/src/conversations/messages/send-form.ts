import type { IncomingMessage } from "node:http";
import type { SentMessage } from "@parley/contracts";
import type { Reservations } from "../../platform/files/quotas/reservations.js";
import type { ReceivedFile } from "../../platform/files/receive.js";
import { sendWithFiles } from "../../platform/files/send-with-files.js";
import type { DeleteFiles } from "../../platform/files/storage/delete-files.js";
import { folders } from "../../platform/files/storage/keys.js";
import type { FileStorage } from "../../platform/files/storage/storage.js";
import type { SendResult } from "../../platform/nonces/sent.js";
import type { MessageDraft } from "./draft.js";
import type { SendMessage } from "./send.js";
import type { RequireSendContext } from "./send-context.js";

/** Sender and channel, which are known before anything is read. */
export type Place = Pick<MessageDraft, "authorId" | "session" | "channelId" | "threadId">;

/**
 * Sends a message with its files, unless one with its nonce exists: all of it, or nothing and no file is left.
 *
 * @param request its body is a form that is not read yet
 * @param read takes the message from the content of its field `payload_json`
 * @throws ServiceError by docs/protocol/messages.md#7.1, then by docs/protocol/messages.md#7.6
 */
export type SendForm = (
  place: Place,
  request: IncomingMessage,
  read: (
    payload: unknown,
    files: readonly ReceivedFile[],
  ) => Omit<MessageDraft, keyof Place | "poll" | "event" | "files">,
) => Promise<SendResult<SentMessage>>;

/** Creates {@link SendForm}. */
export function createSendForm(options: {
  requireSendContext: RequireSendContext;
  send: SendMessage;
  storage: FileStorage;
  deleteFiles: DeleteFiles;
  reservations: Reservations;
}): SendForm {
  const { requireSendContext, send, storage, deleteFiles, reservations } = options;
  return (place, request, read) =>
    sendWithFiles(
      request,
      { storage, deleteFiles, reservations, folder: folders.attachments },
      {
        by: place,
        mayAttach: async () => (await requireSendContext(place, { content: "", runs: [], usernames: [] })).mayAttach,
        send: (payload, files) => send({ ...place, ...read(payload, files.received), files }),
      },
    );
}
