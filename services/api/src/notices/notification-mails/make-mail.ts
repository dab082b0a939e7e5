import { createHash } from "node:crypto";
import { excerpt } from "@parley/message-text";
import type { Mail } from "../../platform/mail/send-mail.js";
import type { Due } from "./due-repository.js";
import { excerptMax, listedMax } from "./limits.js";
import type { Direct, Mention, Reminded } from "./missed-repository.js";
import {
  type MailedMessage,
  type NotificationMail,
  renderNotificationMail,
  type Section,
} from "./notification-mail.js";
import type { ServerMessageCount } from "./reacted-repository.js";
import { type UnsubscribeTokens, unsubscribePath } from "./unsubscribe-tokens.js";

/** The content of one mail to an account. */
export interface Contents {
  email: string;
  mentions: readonly Mention[];
  directs: readonly Direct[];
  reminders: readonly Reminded[];
  reacted: readonly ServerMessageCount[];
}

/** Makes the mail to an account. */
export type MakeMail = (due: Due, contents: Contents) => Mail;

/**
 * @param options.publicUrl address that people reach the installation at; null for the one that each account used
 * @param options.tokens of the links that end such mails
 */
export function createMakeMail(options: { publicUrl: string | null; tokens: UnsubscribeTokens }): MakeMail {
  const { tokens } = options;
  return (due, { email, mentions, directs, reminders, reacted }) => {
    const { user_id: userId, language, mail: kind } = due;
    const publicUrl = options.publicUrl ?? due.url ?? "http://localhost";
    const mailed = (message: MessagePlace & { author: string | null; content: string }): MailedMessage => ({
      place: `#${message.channel} (${message.server})`,
      author: message.author,
      content: excerpt(message.content, excerptMax),
      url: publicUrl + pathInServer(message),
    });
    const conversation = (messages: readonly Direct[]): MailedMessage[] => {
      const last = messages.at(-1);
      if (last === undefined) return [];
      const { id, channel_id, author, content, name } = last;
      const url = `${publicUrl}/app/dm/${channel_id}/${id}`;
      return [{ place: name, author, content: excerpt(content, excerptMax), url, count: messages.length }];
    };
    const unsubscribeUrl = `${publicUrl}${unsubscribePath}/${tokens.issue({ userId, email })}`;
    const ids = [...new Set(directs.map(({ channel_id }) => channel_id))];
    const conversations = ids.flatMap((id) => conversation(directs.filter(({ channel_id }) => channel_id === id)));
    const contents: NotificationMail = {
      kind,
      language,
      mentions: section(mentions.map(mailed)),
      direct: { ...section(conversations), messages: directs.length },
      reminders: section(
        reminders.map(({ content }) => ({
          place: null,
          content: excerpt(content, excerptMax),
          url: `${publicUrl}/app/inbox`,
        })),
      ),
      reacted: section(reacted.map((message) => ({ ...mailed(message), count: message.count }))),
      unsubscribeUrl,
    };
    return {
      to: email,
      language,
      ...renderNotificationMail(contents),
      messageId: messageIdOf(due, publicUrl),
      headers: {
        "List-Unsubscribe": `<${unsubscribeUrl}>`,
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      },
    };
  };
}

interface MessagePlace {
  id: string;
  server_id: string;
  channel_id: string;
  thread_id?: string | null;
  server: string;
  channel: string;
}

const pathInServer = ({ server_id, channel_id, thread_id = null, id }: MessagePlace): string =>
  `/app/servers/${server_id}/channels/${channel_id}/${thread_id ?? id}`;

const section = (all: readonly MailedMessage[]): Section => ({ listed: all.slice(0, listedMax), total: all.length });

/**
 * The same for every attempt to send a mail: a reader who gets it again, as a process died after sending it, can
 * recognise it.
 */
function messageIdOf({ user_id, sent_at }: Due, publicUrl: string): string {
  const hash = createHash("sha256")
    .update(`${user_id} ${sent_at?.getTime() ?? 0}`, "utf8")
    .digest("hex");
  return `<${hash.slice(0, 40)}@${new URL(publicUrl).hostname}>`;
}
