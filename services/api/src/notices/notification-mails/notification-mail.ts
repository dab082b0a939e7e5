import { escapeHtml } from "../../platform/http/html.js";
import type { MailLanguage } from "../../platform/mail/account-texts.js";
import { notificationMailTexts } from "./notification-texts.js";

/** A message in a mail, or a conversation with its last one. */
export interface MailedMessage {
  /** Where: channel and server, or the name of a group; null where the author says it. */
  place: string | null;
  /** Null for a deleted account, undefined for nobody. */
  author?: string | null;
  content: string;
  url: string;
  /** Reactions, or messages of the conversation. */
  count?: number;
}

/** One part of a mail, with how many are not listed. */
export interface Section {
  listed: readonly MailedMessage[];
  total: number;
}

/** The content of a mail. */
export interface NotificationMail {
  kind: "mentions" | "daily";
  language: MailLanguage;
  mentions: Section;
  direct: Section & { messages: number };
  reminders: Section;
  reacted: Section;
  unsubscribeUrl: string;
}

interface Block {
  title: string;
  lines: readonly { head: string; content: string; url: string }[];
  more: string | null;
}

/** Subject, plain text and HTML of a mail about missed messages. It has no pictures, so opening it notifies nobody. */
export function renderNotificationMail(mail: NotificationMail): { subject: string; text: string; html: string } {
  const texts = notificationMailTexts[mail.language];
  const counts = [
    ...(mail.mentions.total > 0 ? [`${texts.mentions}: ${mail.mentions.total}`] : []),
    ...(mail.direct.messages > 0 ? [`${texts.direct}: ${mail.direct.messages}`] : []),
    ...(mail.reminders.total > 0 ? [`${texts.reminders}: ${mail.reminders.total}`] : []),
  ];
  const title = mail.kind === "daily" ? texts.daily : texts.missed;
  const subject = [title, ...(counts.length > 0 ? [counts.join(", ")] : [])].join(" – ");
  const blocks = blocksOf(mail);
  return { subject, text: plainText(blocks, mail), html: htmlText(blocks, subject, mail) };
}

function blocksOf({ language, mentions, direct, reminders, reacted }: NotificationMail): Block[] {
  const texts = notificationMailTexts[language];
  const block = (
    title: string,
    { listed, total }: Section,
    count: (mailed: MailedMessage) => string | null,
  ): Block => ({
    title,
    lines: listed.map((mailed) => ({
      // Names are isolated, so that their letters do not change the order of the words around them.
      head:
        [
          mailed.author === null ? texts.deletedAccount : mailed.author && isolated(mailed.author),
          mailed.place,
          count(mailed),
        ]
          .filter((part) => part != null)
          .join(" · ") || title,
      content: mailed.content === "" ? texts.noText : mailed.content,
      url: mailed.url,
    })),
    more: total > listed.length ? texts.more(total - listed.length) : null,
  });
  return [
    block(texts.mentions, mentions, () => null),
    block(texts.direct, direct, ({ count = 1 }) => (count > 1 ? texts.messages(count) : null)),
    block(texts.reminders, reminders, () => null),
    block(texts.reacted, reacted, ({ count = 0 }) => texts.reactions(count)),
  ].filter(({ lines }) => lines.length > 0);
}

const isolated = (name: string) => `\u2068${name}\u2069`;

function plainText(blocks: readonly Block[], { language, unsubscribeUrl }: NotificationMail): string {
  const texts = notificationMailTexts[language];
  const parts = blocks.flatMap(({ title, lines, more }) => [
    title,
    ...lines.map(({ head, content, url }) => `${head}\n${content}\n${url}`),
    ...(more === null ? [] : [more]),
  ]);
  return `${[...parts, `-- \n${texts.why}\n${texts.unsubscribe}:\n${unsubscribeUrl}`].join("\n\n")}\n`;
}

function htmlText(blocks: readonly Block[], subject: string, { language, unsubscribeUrl }: NotificationMail): string {
  const texts = notificationMailTexts[language];
  const parts = blocks.map(({ title, lines, more }) => {
    const items = lines.map(
      ({ head, content, url }) =>
        `<p><a href="${escapeHtml(url)}">${escapeHtml(head)}</a><br>\n${escapeHtml(content).replaceAll("\n", "<br>\n")}</p>`,
    );
    return [`<h2>${escapeHtml(title)}</h2>`, ...items, ...(more === null ? [] : [`<p>${escapeHtml(more)}</p>`])].join(
      "\n",
    );
  });
  return `<!doctype html>
<html lang="${language}" dir="${texts.direction}">
<head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
<body>
${parts.join("\n")}
<hr>
<p>${escapeHtml(texts.why)}<br>
<a href="${escapeHtml(unsubscribeUrl)}">${escapeHtml(texts.unsubscribe)}</a></p>
</body>
</html>
`;
}
