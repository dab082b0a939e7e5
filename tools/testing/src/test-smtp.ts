import { text } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";

/** A mail as the server received it. */
export interface ReceivedMail {
  readonly to: readonly string[];
  /** Headers and text, as sent. */
  readonly source: string;
}

/** A mail server that keeps received mails. */
export interface TestSmtp {
  readonly url: string;
  readonly mails: readonly ReceivedMail[];
  readonly stop: () => Promise<void>;
}

/**
 * Starts a mail server on a free port of this machine.
 *
 * @param options.accept called with each mail before the server answers; an error that it throws is the refusal, with
 * the code of its field `responseCode` or 450
 */
export async function startSmtp({
  accept = async () => undefined,
}: {
  accept?: (mail: ReceivedMail) => Promise<void>;
} = {}): Promise<TestSmtp> {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, session, done) {
      const receive = async () => {
        const mail = { to: session.envelope.rcptTo.map(({ address }) => address), source: await text(stream) };
        await accept(mail);
        mails.push(mail);
      };
      receive().then(
        () => done(),
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
