import { text } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";

/** A mail as the server received it. */
export interface ReceivedMail {
  readonly to: readonly string[];
  /** Headers and text, as sent. */
  readonly source: string;
}

/** A mail server that keeps what it receives. */
export interface TestSmtp {
  readonly url: string;
  readonly mails: readonly ReceivedMail[];
  readonly stop: () => Promise<void>;
}

/** Starts a mail server on a free port of this machine. */
export async function startSmtp(): Promise<TestSmtp> {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, session, done) {
      text(stream).then(
        (source) => {
          mails.push({ to: session.envelope.rcptTo.map(({ address }) => address), source });
          done();
        },
        (error) => done(error),
      );
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.server.address();
  if (address === null || typeof address === "string") throw new Error("The mail server has no port");
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    mails,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
