import { setTimeout as pause } from "node:timers/promises";
import type { Closable, Logger } from "@parley/service-runtime";
import { createTransport } from "nodemailer";
import type { Config } from "../../config.js";
import { escapeHtml } from "../http/html.js";

/** Attempts to send a mail, and the pause after the first failed one, which doubles. */
const mailAttemptsMax = 4;
const mailRetryMs = 2_000;

/** How long the mail server may take to accept a connection and to answer each command. */
const mailTimeoutMs = 10_000;

/** Connections to the mail server at a time: of mails that are sent later, and again of those that are awaited. */
const mailConnectionsMax = 2;

/** Mails that wait to be sent, in one process; beyond, new ones are dropped with a warning. */
const waitingMailsMax = 1_000;

/** A mail of plain text, and the same in HTML. */
export interface Mail {
  to: string;
  /** Code of the language that it is written in. */
  language: string;
  subject: string;
  text: string;
  html?: string;
  /** The id of a mail that may be sent again, so that it can be recognised. */
  messageId?: string;
  headers?: Readonly<Record<string, string>>;
}

/** Sends mails beside the requests: no request waits for the mail server. */
export interface Mailer extends Closable {
  /** Sends it later. A mail that cannot be sent is logged without its text, which may hold a token. */
  send(mail: Mail): void;
  /**
   * Sends it now, with one attempt, by connections of its own: such mails wait for no others, and delay none.
   *
   * @throws the error of the mail server or the connection
   */
  sendNow(mail: Mail): Promise<void>;
}

/** Whether the mail server has refused a mail for good. */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error) || !("responseCode" in error) || !("code" in error)) return false;
  const { code, responseCode } = error;
  return (code === "EENVELOPE" || code === "EMESSAGE") && Number(responseCode) >= 500;
}

/** The installation as its mails show it. */
export interface MailFace {
  /** The name that stands below each mail, null where nobody has chosen one. */
  name: string | null;
  /** The logo above it in HTML, with the name as its alternative text; null for none. */
  logo: { url: string; alt: string } | null;
}

function withFace(html: string, { name, logo }: MailFace): string {
  const lines = [
    ...(logo === null ? [] : [`<img src="${escapeHtml(logo.url)}" alt="${escapeHtml(logo.alt)}" height="48">`]),
    ...(name === null ? [] : [escapeHtml(name)]),
  ];
  return lines.length === 0 ? html : html.replace("</body>", () => `<p>${lines.join("<br>\n")}</p>\n</body>`);
}

/** @returns null when no mail server is set */
export function createMailer(options: {
  config: Pick<Config, "SMTP_URL" | "MAIL_FROM">;
  logger: Logger;
  readFace: () => Promise<MailFace>;
}): Mailer | null {
  const { config, logger, readFace } = options;
  const { SMTP_URL: url, MAIL_FROM: from } = config;
  if (url === undefined) return null;
  const connect = () =>
    createTransport({
      url,
      pool: true,
      maxConnections: mailConnectionsMax,
      connectionTimeout: mailTimeoutMs,
      greetingTimeout: mailTimeoutMs,
      socketTimeout: mailTimeoutMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  const [later, now] = [connect(), connect()];
  const compose = async ({ language, headers, text, html, ...content }: Mail) => {
    // A mail without them is better than none.
    const face = await readFace().catch((): MailFace => ({ name: null, logo: null }));
    const { name } = face;
    return {
      from,
      ...content,
      text: name === null ? text : `${text}\n-- \n${name}\n`,
      ...(html === undefined ? {} : { html: withFace(html, face) }),
      // Nobody answers to a mail that says so, not even an absence note (RFC 3834).
      headers: { "Auto-Submitted": "auto-generated", ...headers, "Content-Language": language },
    };
  };
  const stop = new AbortController();
  let waiting = 0;

  const attempt = async (mail: Mail): Promise<void> => {
    for (let made = 1, retryMs = mailRetryMs; !stop.signal.aborted; made += 1, retryMs *= 2) {
      try {
        await later.sendMail(await compose(mail));
        return;
      } catch (err) {
        if (made === mailAttemptsMax) throw err;
      }
      await pause(retryMs, undefined, { signal: stop.signal, ref: false }).catch(() => undefined);
    }
  };

  return {
    send(mail) {
      if (waiting >= waitingMailsMax) {
        logger.warn({ subject: mail.subject }, "a mail was dropped: too many wait");
        return;
      }
      waiting += 1;
      attempt(mail)
        .catch((err: unknown) => logger.warn({ err, subject: mail.subject }, "a mail could not be sent"))
        .finally(() => {
          waiting -= 1;
        });
    },
    async sendNow(mail) {
      await now.sendMail(await compose(mail));
    },
    close() {
      stop.abort();
      later.close();
      now.close();
    },
  };
}
