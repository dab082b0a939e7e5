import { errorTexts, notFound } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import { askingPage } from "../../platform/http/asking-page.js";
import { notificationMailTexts } from "../notification-mails/notification-texts.js";
import type { UnsubscribeTokens } from "../notification-mails/unsubscribe-tokens.js";
import type { NotificationService } from "../notifications/service.js";
import { findMailedAccount } from "./repository.js";

export function createMailUnsubscribe(options: {
  database: Database;
  notifications: NotificationService;
  tokens: UnsubscribeTokens;
}) {
  const { database, notifications, tokens } = options;

  /** @throws ServiceError 404 for a token that is none, or of another address than the account has now */
  const requireAccount = async (token: string) => {
    const userId = tokens.accountOf(token);
    const account = userId === null ? null : await findMailedAccount(database, userId);
    if (userId === null || account === null || !tokens.isValid(token, { userId, email: account.email }))
      throw notFound(errorTexts.unsubscribe_link_invalid);
    return { ...account, userId };
  };

  return {
    /** A page that asks, or says that there are no more mails. It changes nothing: programs that check mails open links. */
    async ask(token: string): Promise<string> {
      const { mail, language } = await requireAccount(token);
      return answerPage(language, mail !== "off");
    },

    /** Turns the mails off. @returns a page that says so */
    async end(token: string): Promise<string> {
      const { userId, language } = await requireAccount(token);
      await notifications.change(userId, { mail: "off" }, null);
      return answerPage(language, false);
    },
  };
}

export type MailUnsubscribe = ReturnType<typeof createMailUnsubscribe>;

const answerPage = (language: keyof typeof notificationMailTexts, asks: boolean) =>
  askingPage(notificationMailTexts[language].page, { language, asks });
