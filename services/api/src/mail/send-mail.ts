import { setTimeout as pause } from "node:timers/promises";
import type { Closable, Logger } from "@parley/service-runtime";
import { createTransport } from "nodemailer";
import type { Config } from "../config.js";

/** Attempts to send a mail, and the pause after the first failed one, which doubles. */
const mailAttemptsMax = 4;
const mailRetryMs = 2_000;

/** How long the mail server may take to accept a connection and to answer each command. */
const mailTimeoutMs = 10_000;

/** Connections to the mail server at a time. */
const mailConnectionsMax = 2;

/** Mails that wait to be sent, in one process; beyond, new ones are dropped with a warning. */
const waitingMailsMax = 1_000;

/** A mail of plain text. */
export interface Mail {
  to: string;
  /** Code of the language that it is written in. */
  language: string;
  subject: string;
  text: string;
}

/** Sends mails beside the requests: no request waits for the mail server. */
export interface Mailer extends Closable {
  /** Sends it later. A mail that cannot be sent is logged without its text, which may hold a token. */
  send(mail: Mail): void;
}

/** @returns null when no mail server is set */
export function createMailer(options: {
  config: Pick<Config, "SMTP_URL" | "MAIL_FROM">;
  logger: Logger;
}): Mailer | null {
  const { config, logger } = options;
  const { SMTP_URL: url, MAIL_FROM: from } = config;
  if (url === undefined) return null;
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: mailConnectionsMax,
    connectionTimeout: mailTimeoutMs,
    greetingTimeout: mailTimeoutMs,
    socketTimeout: mailTimeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const stop = new AbortController();
  let waiting = 0;

  const attempt = async ({ language, ...content }: Mail): Promise<void> => {
    for (let made = 1, retryMs = mailRetryMs; !stop.signal.aborted; made += 1, retryMs *= 2) {
      try {
        await transport.sendMail({ from, ...content, headers: { "Content-Language": language } });
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
    close() {
      stop.abort();
      transport.close();
    },
  };
}
