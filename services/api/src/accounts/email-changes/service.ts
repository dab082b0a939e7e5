import { conflict, createEvent, errorTexts, invalidInput, notFound, rateLimited, type User } from "@parley/contracts";
import type { Database, Transaction } from "@parley/database/prisma";
import type { Emit, Outbox } from "@parley/outbox";
import { lockAccount } from "../../access/caps.js";
import { findAccountByAddress, getAccount, getEmail, isAddressTaken } from "../../people/users/repository.js";
import { toUser } from "../../people/users/resource.js";
import { askingPage } from "../../platform/http/asking-page.js";
import type { MailLanguage } from "../../platform/mail/account-texts.js";
import type { Mailer } from "../../platform/mail/send-mail.js";
import type { Device } from "../auth/device.js";
import type { RequirePassword } from "../auth/require-password.js";
import { endPasswordResets } from "../password-reset/repository.js";
import {
  countOpenChanges,
  type EmailChangeKind,
  endEmailChanges,
  findEmailChange,
  isEmailProvided,
  issueEmailChange,
  setEmail,
  useEmailChange,
} from "./repository.js";
import { emailChangeTexts } from "./texts.js";

/** Path of the links with tokens. */
export const emailChangePath = "/mail/email";
/** Mails to new addresses that one account causes within the life of their links. */
const openChangesMax = 3;
const retryAfterSeconds = 3_600;

interface Asked {
  email: string | null;
  password: string;
}

export function createEmailChanges(options: {
  database: Database;
  outbox: Outbox<Transaction>;
  requirePassword: RequirePassword;
  mailer: Mailer | null;
  publicUrl: string | undefined;
}) {
  const { database, outbox, requirePassword, mailer, publicUrl } = options;

  const announce = async (transaction: Transaction, emit: Emit, userId: string): Promise<User> => {
    const user = toUser(await getAccount(transaction, userId));
    emit(createEvent("USER_UPDATE", { user_id: userId }, user));
    return user;
  };
  const taken = (error: unknown) => (isAddressTaken(error) ? conflict(errorTexts.email_taken) : error);

  const mail = (
    kind: EmailChangeKind,
    to: string,
    username: string,
    token: string,
    link: string,
    language: MailLanguage,
  ) => {
    const { subject, about, use } = emailChangeTexts[language][kind];
    const text = [about(username), "", use, "", `${link}${emailChangePath}/${token}`, ""].join("\n");
    mailer?.send({ to, language, subject, text });
  };

  /** @throws ServiceError 404 for a token that works no more */
  const requireChange = async (token: string) => {
    const change = await findEmailChange(database, token);
    if (change === undefined) throw notFound(errorTexts.email_link_invalid);
    return change;
  };

  return {
    /**
     * Gives the account another address, or none: at once where no mail is sent or none is needed, else once the new address has
     * confirmed it. The former address is notified with a link that takes it back.
     *
     * @returns the account, and whether its address waits to be confirmed
     */
    async change(userId: string, { email, password }: Asked, device: Device): Promise<{ user: User; waits: boolean }> {
      if (await isEmailProvided(database, userId)) throw invalidInput(errorTexts.email_provided);
      const { username } = await requirePassword(userId, password, device);
      const former = await getEmail(database, userId);
      if (email === former.email) return { user: toUser(await getAccount(database, userId)), waits: false };
      const owner = email === null ? null : await findAccountByAddress(database, email);
      if (owner !== null && owner.id !== userId) throw conflict(errorTexts.email_taken);
      const waits = mailer !== null && email !== null;
      try {
        const { user, tokens } = await outbox.transaction([{ user_id: userId }], async (transaction, emit) => {
          await lockAccount(transaction, userId);
          const issue = async (kind: EmailChangeKind, to: string | null, verified: boolean) =>
            to === null || mailer === null
              ? null
              : issueEmailChange(transaction, { user_id: userId, kind, email: to, verified });
          if (waits && (await countOpenChanges(transaction, userId)) >= openChangesMax)
            throw rateLimited("email_changes", errorTexts.rate_limited, retryAfterSeconds);
          const revert = await issue("revert", former.email, former.email_verified_at !== null);
          const confirm = waits ? await issue("confirm", email, true) : null;
          if (!waits) await setEmail(transaction, userId, { email, verified: false });
          const user = waits
            ? toUser(await getAccount(transaction, userId))
            : await announce(transaction, emit, userId);
          return { user, tokens: { revert, confirm } };
        });
        const link = (publicUrl ?? device.origin).replace(/\/+$/, "");
        for (const [kind, to] of [
          ["confirm", email],
          ["revert", former.email],
        ] as const) {
          const token = tokens[kind];
          if (token !== null && to !== null) mail(kind, to, username, token, link, device.language);
        }
        return { user, waits };
      } catch (error) {
        throw taken(error);
      }
    },

    /** A page that asks whether the token is to be used. */
    async ask(token: string, language: MailLanguage): Promise<string> {
      const { kind } = await requireChange(token);
      return askingPage(emailChangeTexts[language][kind], { language, asks: true });
    },

    /** Uses a token. Taking an address back ends all other links, and tokens that set the password. @returns a page that says so */
    async use(token: string, language: MailLanguage): Promise<string> {
      const { user_id: userId } = await requireChange(token);
      try {
        const kind = await outbox.transaction([{ user_id: userId }], async (transaction, emit) => {
          await lockAccount(transaction, userId);
          const change = await useEmailChange(transaction, token);
          if (change === undefined) throw notFound(errorTexts.email_link_invalid);
          await setEmail(transaction, userId, change);
          if (change.kind === "revert") {
            await endEmailChanges(transaction, userId);
            await endPasswordResets(transaction, userId);
          }
          await announce(transaction, emit, userId);
          return change.kind;
        });
        return askingPage(emailChangeTexts[language][kind], { language, asks: false });
      } catch (error) {
        throw taken(error);
      }
    },
  };
}

/** Other addresses of accounts (docs/protocol/accounts.md#33.5). */
export type EmailChanges = ReturnType<typeof createEmailChanges>;
