import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { ServiceError } from "@parley/contracts";
import { openMultipart } from "../http/multipart.js";
import type { SendResult } from "../nonces/sent.js";
import { type MessageFormParts, noSentFiles, ordinaryParts, readMessageForm, type SentFiles } from "./message-form.js";
import { bodyLength } from "./quotas/body-length.js";
import type { Reservations } from "./quotas/reservations.js";
import type { DeleteFiles } from "./storage/delete-files.js";
import { type AttachmentFolder, storedKey } from "./storage/keys.js";
import type { FileStorage } from "./storage/storage.js";
import { payloadBytesMax, uploadBytesMax } from "./upload-limits.js";

/** Where the files of messages are stored, and how they are removed again. */
export interface FormFiles {
  storage: FileStorage;
  deleteFiles: DeleteFiles;
  reservations: Reservations;
  folder: AttachmentFolder;
}

/**
 * Sends a message with its files, unless one with its nonce exists: all of it, or nothing and no file is left.
 *
 * @param request its body is a form that is not read yet
 * @param sending.by the author and the channel
 * @param sending.mayAttach rejects for a sender who may not send: then nothing of their form is read
 * @param sending.send sends the message of the form with the files
 * @param sending.parts the parts of the form that make a message
 * @throws ServiceError by docs/protocol/messages.md#7.1, then by docs/protocol/messages.md#7.6
 */
export async function sendWithFiles<M>(
  request: IncomingMessage,
  { storage, deleteFiles, reservations, folder }: FormFiles,
  sending: {
    by: { authorId: string; channelId: string };
    mayAttach: () => Promise<boolean>;
    send: (payload: unknown, files: SentFiles) => Promise<SendResult<M>>;
    parts?: MessageFormParts;
  },
): Promise<SendResult<M>> {
  const form = openMultipart(request, { bytesMax: uploadBytesMax, fieldBytesMax: payloadBytesMax });
  const files = noSentFiles(await sending.mayAttach());
  const room = reservations.open(sending.by, bodyLength(request));
  const deleteReceived = () => deleteFiles(files.received.map(storedKey));
  try {
    const target = { storage, folder, folderId: randomUUID(), room };
    const payload = await readMessageForm(form, files, { target, parts: sending.parts ?? ordinaryParts });
    const sent = await sending.send(payload, files);
    if (!sent.isNew) await deleteReceived();
    return sent;
  } catch (error) {
    // After any other failure the message may be stored all the same; if it is not, the files are orphaned.
    if (error instanceof ServiceError) await deleteReceived();
    throw error;
  } finally {
    await room.end();
  }
}
