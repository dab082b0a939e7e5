import type { IncomingMessage } from "node:http";
import type { SentMessage } from "@parley/contracts";
import { inChannel } from "../../access/may.js";
import { sending, viewing } from "../../access/needs.js";
import type { May } from "../../platform/http/may.js";
import type { SendResult } from "../../platform/nonces/sent.js";
import type { MessageDraft } from "./draft.js";
import type { SendMessage } from "./send.js";
import type { Place, SendForm } from "./send-form.js";

/** Sends as the caller to the channel that the path names, or to the thread. */
export interface Sender {
  send(draft: Omit<MessageDraft, keyof Place>): Promise<SendResult<SentMessage>>;
  sendForm(request: IncomingMessage, read: Parameters<SendForm>[2]): Promise<SendResult<SentMessage>>;
}

/** The right to send; the statement that reads the context of a message asks for it. */
export type MaySend = May<{ channel_id: string; message_id?: string | undefined }, Sender>;

/** Creates {@link MaySend}. */
export function createMaySend({ send, sendForm }: { send: SendMessage; sendForm: SendForm }): MaySend {
  return {
    ...inChannel([viewing, sending]),
    ask(_stores, { userId: authorId, session, params: { channel_id: channelId, message_id: threadId } }) {
      const place = { authorId, session, channelId, threadId };
      return {
        send: (draft) => send({ ...place, ...draft }),
        sendForm: (request, read) => sendForm(place, request, read),
      };
    },
  };
}
