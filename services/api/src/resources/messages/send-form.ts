import type { IncomingMessage } from "node:http";
import { type SentMessage, ServiceError } from "@parley/contracts";
import { noSentFiles, readMessageForm } from "../../files/message-form.js";
import type { DeleteFiles } from "../../files/storage/delete-files.js";
import { storedKey } from "../../files/storage/keys.js";
import type { FileStorage } from "../../files/storage/storage.js";
import { payloadBytesMax, uploadBytesMax } from "../../files/upload-limits.js";
import { parseJson } from "../../http/json-body.js";
import { openMultipart } from "../../http/multipart.js";
import type { Sent } from "../../nonces/sent.js";
import type { MessageDraft } from "./draft.js";
import type { SendMessage } from "./send.js";
import type { RequireSendContext } from "./send-context.js";

/** Where a form is sent to, which is known before it is read. */
type Place = Pick<MessageDraft, "authorId" | "channelId" | "threadId">;

/**
 * Sends a message with its files, unless one with its nonce exists: all of it, or nothing and no file is left.
 *
 * @param request its body is a form that is not read yet
 * @param read takes the message from what its field `payload_json` contains
 * @throws ServiceError by docs/interface.md#7.1, then by docs/interface.md#7.6
 */
export type SendForm = (
  place: Place,
  request: IncomingMessage,
  read: (payload: unknown) => Pick<MessageDraft, "content" | "replyTo" | "nonce">,
) => Promise<Sent<SentMessage>>;

/** Creates {@link SendForm}. Nothing of a form is taken in whose sender may not send. */
export function createSendForm(options: {
  requireSendContext: RequireSendContext;
  send: SendMessage;
  storage: FileStorage;
  deleteFiles: DeleteFiles;
}): SendForm {
  const { requireSendContext, send, storage, deleteFiles } = options;
  return async (place, request, read) => {
    const form = openMultipart(request, { bytesMax: uploadBytesMax, fieldBytesMax: payloadBytesMax });
    const { mayAttach } = await requireSendContext(place, { everyone: false, usernames: [] });
    const files = noSentFiles(mayAttach);
    const deleteReceived = () => deleteFiles(files.received.map(storedKey));
    try {
      const message = read(parseJson(await readMessageForm(form, files, storage)));
      const sent = await send({ ...place, ...message, files });
      if (!sent.isNew) await deleteReceived();
      return sent;
    } catch (error) {
      // After any other failure the message may be stored all the same; if it is not, the files are orphaned.
      if (error instanceof ServiceError) await deleteReceived();
      throw error;
    }
  };
}
