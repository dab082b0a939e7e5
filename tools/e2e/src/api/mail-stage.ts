import { randomUUID } from "node:crypto";
import {
  createClient,
  type RestClient,
  startSmtp,
  startStack,
  type TestSmtp,
  type TestStack,
  type UserClient,
  waitUntil,
} from "@parley/testing";
import { runSql } from "./admin-stage.js";
import { type ReadMail, readMail } from "./read-mail.js";

/** Address of the installation in its mails. */
export const publicUrl = "https://chat.example.com";
/** Messages are looked at when they are half a minute old. */
const collectedTimeoutMs = 120_000;
const settledTimeoutMs = 60_000;

/** An account with a verified address. */
export type Reader = UserClient & { readonly email: string };

type Accept = NonNullable<Parameters<typeof startSmtp>[0]>["accept"];

/** An installation of a test file's own, with two apis and a mail server. */
export async function startMailStage({ accept, knowsUrl = true }: { accept?: Accept; knowsUrl?: boolean } = {}) {
  const smtp = await startSmtp(accept === undefined ? {} : { accept });
  const env = { SMTP_URL: smtp.url, PUBLIC_URL: knowsUrl ? `${publicUrl}/` : "" };
  const stack = await startStack({ apis: 2, gateways: 1, env });
  return { ...createMailStage(stack, smtp), stop: () => stack.stop().finally(() => smtp.stop()) };
}

function createMailStage(stack: TestStack, smtp: TestSmtp) {
  const client: RestClient = createClient(stack.edgeUrl, { prefix: "/api" });
  const sql = (text: string, values: unknown[] = []) => runSql(stack.databaseUrl, text, values);
  const idsOf = (readers: readonly Reader[]) => readers.map(({ user }) => user.id);

  /** What an account is mailed about missed messages, in the order of arrival. */
  const mailsTo = ({ email }: { email: string }): ReadMail[] =>
    smtp.mails
      .filter(({ to, source }) => to.includes(email) && /^List-Unsubscribe:/m.test(source))
      .map(({ source }) => readMail(source));

  /** Waits until everything that was sent so far has been looked at, by whichever api. */
  const untilCollected = async () => {
    const [row] = await sql("SELECT uuidv7() AS now");
    const { now } = Object(row);
    const reached = "SELECT FROM missed_message_marks WHERE message_id > $1 AND dm_message_id > $1";
    await waitUntil(async () => (await sql(reached, [now])).length === 1, {
      what: "the messages to be looked at",
      timeoutMs: collectedTimeoutMs,
    });
  };

  /** Makes what accounts have missed a quarter of an hour older, and their mails due. */
  const makeDue = async (readers: readonly Reader[]) => {
    await sql("UPDATE missed_messages SET created_at = created_at - interval '15 minutes' WHERE user_id = ANY ($1)", [
      idsOf(readers),
    ]);
    await sql(
      "UPDATE notification_settings SET mail_due_at = now() WHERE user_id = ANY ($1) AND (mail_due_at > now() OR mail = 'daily')",
      [idsOf(readers)],
    );
  };

  /** Waits until no mail of the accounts is due or being made. */
  const untilSettled = (readers: readonly Reader[]) =>
    waitUntil(
      async () => {
        const waiting = await sql(
          `SELECT FROM notification_settings WHERE user_id = ANY ($1) AND mail <> 'off'
            AND (mail_due_at <= now() OR mail_leased_until IS NOT NULL OR (mail = 'daily' AND mail_due_at IS NULL))`,
          [idsOf(readers)],
        );
        return waiting.length === 0;
      },
      { what: "the mails to be sent", timeoutMs: settledTimeoutMs },
    );

  return {
    stack,
    smtp,
    client,
    sql,
    mailsTo,
    untilCollected,
    makeDue,
    untilSettled,
    /** Through the other api. */
    elsewhere: ({ accessToken }: UserClient) =>
      createClient(stack.apis[1]?.url ?? "").withAuthorization(`Bearer ${accessToken}`),
    async register(settings: object = { mail: "mentions" }): Promise<Reader> {
      const email = `${randomUUID()}@example.com`;
      const user = await client.register({ email });
      await sql("UPDATE users SET email_verified_at = now() WHERE id = $1", [user.user.id]);
      (await user.patch("/users/@me/notifications", settings)).expect(200, { parse: (body: unknown) => body });
      return Object.assign(user, { email });
    },
    /** Has an account miss messages, as if they had been looked at a quarter of an hour after they were sent. */
    async miss({ user }: Reader, ids: readonly string[], { isDirect = false } = {}): Promise<void> {
      await sql(
        `INSERT INTO missed_messages (user_id, message_id, is_direct, created_at)
          SELECT $1, id, $3, now() - interval '15 minutes' FROM unnest($2::uuid[]) id`,
        [user.id, ids, isDirect],
      );
      await sql("UPDATE notification_settings SET mail_due_at = now() WHERE user_id = $1", [user.id]);
    },
  };
}

export type MailStage = Awaited<ReturnType<typeof startMailStage>>;
