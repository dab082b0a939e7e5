import { generateToken, hashToken } from "@parley/auth";
import { errorTexts, invalidInput, ServiceError } from "@parley/contracts";
import { defineStatement, type RawRow } from "@parley/database";
import type { Database, Transaction } from "@parley/database/prisma";
import type { Logger } from "@parley/service-runtime";
import { lockAccount } from "../../access/caps.js";
import type { ChangeTurns } from "../../load/change-turns.js";
import { accountMailTexts, type MailLanguage } from "../../mail/account-texts.js";
import { emailVerificationTtlSeconds, mailedTokensMax } from "../../mail/limits.js";
import type { Mailer } from "../../mail/send-mail.js";
import { issuePasswordReset } from "./password-reset.js";

/** An account and its address. */
export interface Addressee {
  id: string;
  email: string;
}

const openResetsStatement = defineStatement({
  name: "mail_open_resets",
  text: "SELECT count(*) AS tokens FROM password_resets WHERE user_id = $1 AND expires_at > now()",
  row: (row: RawRow) => Number(row.tokens),
});
const openVerificationsStatement = defineStatement({
  name: "mail_open_verifications",
  text: "SELECT count(*) AS tokens FROM email_verifications WHERE user_id = $1 AND expires_at > now()",
  row: (row: RawRow) => Number(row.tokens),
});
const issueStatement = defineStatement({
  name: "email_verification_issue",
  text: `INSERT INTO email_verifications (token_hash, user_id, email, expires_at)
    VALUES ($1, $2, $3, now() + make_interval(secs => $4))`,
});
/** Of two uses at once one finds the row. An address that changed since is not verified. */
const verifyStatement = defineStatement({
  name: "email_verification_use",
  text: `WITH used AS (DELETE FROM email_verifications WHERE token_hash = $1 AND expires_at > now()
      RETURNING user_id, email)
    UPDATE users u SET email_verified_at = now() FROM used WHERE u.id = used.user_id AND u.email = used.email`,
});

export function createAccountMails(options: {
  database: Database;
  turns: ChangeTurns;
  mailer: Mailer | null;
  logger: Logger;
}) {
  const { database, turns, mailer, logger } = options;

  const requireMailer = (): Mailer => {
    if (mailer === null) throw new ServiceError("not_configured", errorTexts.email_not_configured);
    return mailer;
  };
  /** Runs after the answer, so that the time to answer does not reveal whether an address has an account. */
  const later = (work: () => Promise<void>) => {
    work().catch((err: unknown) => logger.warn({ err }, "a mail could not be prepared"));
  };

  /** Concurrent requests are counted one after the other. Null when the account has {@link mailedTokensMax} tokens. */
  const issueWithinLimit = (
    accountId: string,
    openStatement: typeof openResetsStatement,
    issue: (transaction: Transaction) => Promise<string>,
  ): Promise<string | null> =>
    // A queue of its own: unauthenticated callers may request mails, which must not delay the account's own changes.
    turns.run(`mails to ${accountId}`, () =>
      database.transaction(async (transaction) => {
        await lockAccount(transaction, accountId);
        const [open = 0] = await transaction.query(openStatement, [accountId]);
        return open >= mailedTokensMax ? null : issue(transaction);
      }),
    );

  async function mailReset(through: Mailer, email: string, language: MailLanguage): Promise<void> {
    const account = await database.prisma.user.findUnique({ where: { email }, select: { id: true, username: true } });
    if (account === null) return;
    const { id } = account;
    const token = await issueWithinLimit(id, openResetsStatement, (transaction) => issuePasswordReset(transaction, id));
    if (token === null) return;
    const { subject, about, use } = accountMailTexts[language].reset;
    through.send({ to: email, language, subject, text: mailText(language, about(account.username), token, use) });
  }

  async function mailVerification(through: Mailer, { id, email }: Addressee, language: MailLanguage): Promise<void> {
    const token = await issueWithinLimit(id, openVerificationsStatement, async (transaction) => {
      const fresh = generateToken();
      await transaction.execute(issueStatement, [hashToken(fresh), id, email, emailVerificationTtlSeconds]);
      return fresh;
    });
    if (token === null) return;
    const { subject, about, use } = accountMailTexts[language].verification;
    through.send({ to: email, language, subject, text: mailText(language, about, token, use) });
  }

  return {
    /** Mails a token that sets the password, if the address has an account. */
    requestReset(email: string, language: MailLanguage): void {
      const through = requireMailer();
      later(() => mailReset(through, email, language));
    },

    /** Mails a token that verifies the address, when mails can be sent. */
    sendVerification(addressee: Addressee, language: MailLanguage): void {
      if (mailer !== null) later(() => mailVerification(mailer, addressee, language));
    },

    /** The same when the account asks for it. */
    async requestVerification(userId: string, language: MailLanguage): Promise<void> {
      const through = requireMailer();
      const { email, email_verified_at } = await database.prisma.user.findUniqueOrThrow({
        where: { id: userId },
        select: { email: true, email_verified_at: true },
      });
      if (email === null) throw invalidInput(errorTexts.email_missing);
      if (email_verified_at !== null) throw invalidInput(errorTexts.email_verified);
      later(() => mailVerification(through, { id: userId, email }, language));
    },

    async verify(token: string): Promise<void> {
      if ((await database.execute(verifyStatement, [hashToken(token)])) === 0) {
        throw new ServiceError("unauthenticated", errorTexts.verification_token_invalid);
      }
    },

    /** The caller's address and whether it was verified. */
    async state(userId: string): Promise<{ email: string | null; verified: boolean }> {
      const { email, email_verified_at } = await database.prisma.user.findUniqueOrThrow({
        where: { id: userId },
        select: { email: true, email_verified_at: true },
      });
      return { email, verified: email_verified_at !== null };
    },
  };
}

/** Mails about accounts (docs/interface.md#18.2). */
export type AccountMails = ReturnType<typeof createAccountMails>;

function mailText(language: MailLanguage, about: string, token: string, use: string): string {
  const { token: name, ignore } = accountMailTexts[language];
  return [about, "", `${name}: ${token}`, "", use, ignore, ""].join("\n");
}
