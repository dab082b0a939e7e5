import type { Database } from "@parley/database/prisma";
import { createTokenBucket, type RedisConnection } from "@parley/redis";
import type { Logger } from "@parley/service-runtime";
import { findAccount } from "../../people/users/repository.js";
import { type AccountChange, accountMailTexts, type MailLanguage } from "../../platform/mail/account-texts.js";
import type { Mailer } from "../../platform/mail/send-mail.js";

/** Mails about changes that one account is sent at once, and a second: its address may be somebody else's. */
const changeMailsMax = 10;
const changeMailsPerSecond = 10 / 3600;

export function createTellOwner(options: {
  database: Database;
  redis: RedisConnection;
  mailer: Mailer | null;
  logger: Logger;
}) {
  const { database, redis, mailer, logger } = options;
  const mails = createTokenBucket({
    redis,
    name: "account-change-mails",
    ratePerSecond: changeMailsPerSecond,
    burst: changeMailsMax,
  });

  async function tell(through: Mailer, userId: string, change: AccountChange, language: MailLanguage): Promise<void> {
    const account = await findAccount(database, { id: userId });
    if (account === null || account.email === null) return;
    if (!(await mails.take(userId)).allowed) return;
    const { subject, about, changes, otherwise } = accountMailTexts[language].change;
    const text = [about(account.username), "", changes[change], "", otherwise, ""].join("\n");
    through.send({ to: account.email, language, subject, text });
  }

  return (userId: string, change: AccountChange, { language }: { language: MailLanguage }): void => {
    if (mailer === null) return;
    tell(mailer, userId, change, language).catch((err: unknown) =>
      logger.warn({ err }, "a mail about a change could not be prepared"),
    );
  };
}

/** Mails an account's owner that how it signs in has changed, when mails can be sent (docs/protocol/accounts.md#18.2); no request waits for that. */
export type TellOwner = ReturnType<typeof createTellOwner>;
