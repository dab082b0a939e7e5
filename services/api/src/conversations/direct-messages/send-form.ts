import type { IncomingMessage } from "node:http";
import type { SentDmMessage } from "@parley/contracts";
import { type FormFiles, sendWithFiles } from "../../platform/files/send-with-files.js";
import { folders } from "../../platform/files/storage/keys.js";
import { parse } from "../../platform/http/route.js";
import type { Sent } from "../../platform/nonces/sent.js";
import { sendFormPayload } from "./schema.js";
import type { DirectDraft, SendDirect } from "./send.js";

/**
 * Sends a direct message with its files, unless one with its nonce exists: all of it, or nothing.
 *
 * @param request its body is a form that is not read yet
 */
export type SendDirectForm = (
  place: Pick<DirectDraft, "authorId" | "channelId">,
  request: IncomingMessage,
) => Promise<Sent<SentDmMessage>>;

/** Creates {@link SendDirectForm}. */
export function createSendDirectForm(
  { requireContext, send }: SendDirect,
  files: Omit<FormFiles, "folder">,
): SendDirectForm {
  return (place, request) =>
    sendWithFiles(
      request,
      { ...files, folder: folders.directAttachments },
      {
        async mayAttach() {
          await requireContext(place);
          return true;
        },
        send(payload, received) {
          const { content, reply_to: replyTo, nonce } = parse<typeof sendFormPayload>(sendFormPayload, payload);
          return send({ ...place, content, replyTo, nonce, files: received });
        },
      },
    );
}
