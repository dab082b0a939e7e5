import { errorTexts, invalidInput, notFound, ServiceError } from "@parley/contracts";
import type { Database, Transaction } from "@parley/database/prisma";
import type { Logger } from "@parley/service-runtime";
import { lockAccount } from "../../access/caps.js";
import { findAccountByAddress, getEmail } from "../../people/users/repository.js";
import { askingPage } from "../../platform/http/asking-page.js";
import type { ChangeTurns } from "../../platform/load/change-turns.js";
import { accountMailTexts, type MailLanguage } from "../../platform/mail/account-texts.js";
import type { Mailer } from "../../platform/mail/send-mail.js";
import type { Device } from "../auth/device.js";
import { countOpenResets, issuePasswordReset } from "../password-reset/repository.js";
import {
  type Addressee,
  countOpenVerifications,
  issueVerification,
  isVerificationKnown,
  useVerification,
} from "./repository.js";

/** Path of the links that confirm the address of an account that waits for it. */
export const confirmationPath = "/mail/confirm";

/** Tokens that one account has at a time; further requests send no mail. */
const mailedTokensMax = 3;

export function createAccountMails(options: {
  database: Database;
  turns: ChangeTurns;
  mailer: Mailer | null;
  logger: Logger;
  publicUrl: string | undefined;
}) {
  const { database, turns, mailer, logger, publicUrl } = options;

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
    countOpen: typeof countOpenResets,
    issue: (transaction: Transaction) => Promise<string>,
  ): Promise<string | null> =>
    // A queue of its own: unauthenticated callers may request mails, which must not delay the account's own changes.
    turns.run(`mails to ${accountId}`, () =>
      database.transaction(async (transaction) => {
        await lockAccount(transaction, accountId);
        return (await countOpen(transaction, accountId)) >= mailedTokensMax ? null : issue(transaction);
      }),
    );

  /** The mail goes to the address as the account has it, not as the request spells it. */
  async function mailReset(through: Mailer, address: string, language: MailLanguage): Promise<void> {
    const account = await findAccountByAddress(database, address);
    if (account === null || account.email === null) return;
    const { id, email } = account;
    const token = await issueWithinLimit(id, countOpenResets, (transaction) => issuePasswordReset(transaction, id));
    if (token === null) return;
    const { subject, about, use } = accountMailTexts[language].reset;
    through.send({ to: email, language, subject, text: mailText(language, about(account.username), token, use) });
  }

  async function mailVerification(through: Mailer, addressee: Addressee, language: MailLanguage): Promise<void> {
    const { id, email } = addressee;
    const issue = (transaction: Transaction) => issueVerification(transaction, addressee, "usual");
    const token = await issueWithinLimit(id, countOpenVerifications, issue);
    if (token === null) return;
    const { subject, about, use } = accountMailTexts[language].verification;
    through.send({ to: email, language, subject, text: mailText(language, about, token, use) });
  }

  async function mailConfirmation(
    through: Mailer,
    addressee: Addressee,
    { language, origin }: Pick<Device, "language" | "origin">,
  ): Promise<void> {
    const { id, email } = addressee;
    const issue = (transaction: Transaction) => issueVerification(transaction, addressee, "waiting");
    const token = await issueWithinLimit(id, countOpenVerifications, issue);
    if (token === null) return;
    const { subject, about, use } = accountMailTexts[language].confirmation;
    const link = `${(publicUrl ?? origin).replace(/\/+$/, "")}${confirmationPath}/${token}`;
    const { ignore } = accountMailTexts[language];
    through.send({ to: email, language, subject, text: [about, "", use, "", link, "", ignore, ""].join("\n") });
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

    /** Mails a link that confirms the address of an account that waits for it. */
    sendConfirmation(addressee: Addressee, device: Pick<Device, "language" | "origin">): void {
      if (mailer !== null) later(() => mailConfirmation(mailer, addressee, device));
    },

    /** The page of such a link, which asks. @throws ServiceError 404 for a token that works no more */
    async askConfirmation(token: string, language: MailLanguage): Promise<string> {
      if (!(await isVerificationKnown(database, token))) throw notFound(errorTexts.email_link_invalid);
      return askingPage(accountMailTexts[language].confirmation, { language, asks: true });
    },

    /** Uses the token of such a link. @returns a page that says so */
    async confirm(token: string, language: MailLanguage): Promise<string> {
      if (!(await useVerification(database, token))) throw notFound(errorTexts.email_link_invalid);
      return askingPage(accountMailTexts[language].confirmation, { language, asks: false });
    },

    /** A mail with a token when the account asks for it. */
    async requestVerification(userId: string, language: MailLanguage): Promise<void> {
      const through = requireMailer();
      const { email, email_verified_at } = await getEmail(database, userId);
      if (email === null) throw invalidInput(errorTexts.email_missing);
      if (email_verified_at !== null) throw invalidInput(errorTexts.email_verified);
      later(() => mailVerification(through, { id: userId, email }, language));
    },

    async verify(token: string): Promise<void> {
      if (await useVerification(database, token)) return;
      throw new ServiceError("unauthenticated", errorTexts.verification_token_invalid);
    },

    /** The caller's address and whether it was verified. */
    async state(userId: string): Promise<{ email: string | null; verified: boolean }> {
      const { email, email_verified_at } = await getEmail(database, userId);
      return { email, verified: email_verified_at !== null };
    },
  };
}

/** Mails about accounts (docs/protocol/accounts.md#18.2). */
export type AccountMails = ReturnType<typeof createAccountMails>;

function mailText(language: MailLanguage, about: string, token: string, use: string): string {
  const { token: name, ignore } = accountMailTexts[language];
  return [about, "", `${name}: ${token}`, "", use, ignore, ""].join("\n");
}
