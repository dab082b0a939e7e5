import { randomUUID } from "node:crypto";
import pg from "pg";
import { waitTimeoutMs } from "./limits.js";
import { type ReadMail, readMail } from "./read-mail.js";
import type { RestClient, UserClient } from "./rest-client.js";
import type { TestSmtp } from "./test-smtp.js";
import { waitUntil } from "./wait-until.js";

/** An account with a verified address. */
export type MailReader = UserClient & { readonly email: string };

/**
 * Accounts with mails about missed messages (docs/protocol/notifications.md#26.3), and their rows with messages and due
 * times. The rows let a test pass over a quarter of an hour.
 *
 * @param options.smtp the mail server of the apis that send such mails
 */
export function createMailReaders(options: { client: RestClient; databaseUrl: string; smtp: TestSmtp }) {
  const { client, databaseUrl, smtp } = options;
  const database = new pg.Pool({ connectionString: databaseUrl, max: 4 });
  // The database may be dropped before the pool is closed.
  database.on("error", () => undefined);
  const sql = async (text: string, values: unknown[] = []): Promise<unknown[]> =>
    (await database.query(text, values)).rows;
  const idsOf = (readers: readonly MailReader[]) => readers.map(({ user }) => user.id);

  return {
    sql,
    stop: () => database.end(),

    /** An account's mails about missed messages, in the order of arrival. */
    mailsTo: ({ email }: { email: string }): ReadMail[] =>
      smtp.mails
        .filter(({ to, source }) => to.includes(email) && /^List-Unsubscribe:/m.test(source))
        .map(({ source }) => readMail(source)),

    /** Resolves once everything that was sent before the call has been looked at. */
    async collected({ timeoutMs = waitTimeoutMs }: { timeoutMs?: number } = {}): Promise<void> {
      const [row] = await sql("SELECT uuidv7() AS now");
      const reached = "SELECT FROM missed_message_marks WHERE message_id > $1 AND dm_message_id > $1";
      await waitUntil(async () => (await sql(reached, [Object(row).now])).length === 1, {
        what: "the messages to be looked at",
        timeoutMs,
      });
    },

    /** Makes the missed messages of accounts a quarter of an hour older, and their mails due. */
    async makeDue(readers: readonly MailReader[]): Promise<void> {
      await sql("UPDATE missed_messages SET created_at = created_at - interval '15 minutes' WHERE user_id = ANY ($1)", [
        idsOf(readers),
      ]);
      await sql(
        "UPDATE notification_settings SET mail_due_at = now() WHERE user_id = ANY ($1) AND (mail_due_at > now() OR mail = 'daily')",
        [idsOf(readers)],
      );
    },

    /** Resolves once no mail of the accounts is due or being made. */
    settled: (readers: readonly MailReader[]): Promise<unknown> =>
      waitUntil(
        async () => {
          const waiting = await sql(
            `SELECT FROM notification_settings WHERE user_id = ANY ($1) AND mail <> 'off'
              AND (mail_due_at <= now() OR mail_leased_until IS NOT NULL OR (mail = 'daily' AND mail_due_at IS NULL))`,
            [idsOf(readers)],
          );
          return waiting.length === 0;
        },
        { what: "the mails to be sent", timeoutMs: 60_000 },
      ),

    async register(settings: object = { mail: "mentions" }): Promise<MailReader> {
      const email = `${randomUUID()}@example.com`;
      const user = await client.register({ email });
      await sql("UPDATE users SET email_verified_at = now() WHERE id = $1", [user.user.id]);
      (await user.patch("/users/@me/notifications", settings)).expect(200, { parse: (body: unknown) => body });
      return Object.assign(user, { email });
    },

    /** Makes an account miss messages, as if they had been collected a quarter of an hour after they were sent. */
    async miss({ user }: MailReader, ids: readonly string[], { isDirect = false } = {}): Promise<void> {
      await sql(
        `INSERT INTO missed_messages (user_id, message_id, is_direct, created_at)
          SELECT $1, id, $3, now() - interval '15 minutes' FROM unnest($2::uuid[]) id`,
        [user.id, ids, isDirect],
      );
      await sql("UPDATE notification_settings SET mail_due_at = now() WHERE user_id = $1", [user.id]);
    },
  };
}

export type MailReaders = ReturnType<typeof createMailReaders>;
