import { errorTexts, notFound } from "@parley/contracts";
import type { Database, Transaction } from "@parley/database/prisma";
import { requireAdminsRemain } from "../../access/admin-lock.js";
import { type AdminLogRecord, appendAdminLog } from "../../access/admin-log/repository.js";
import { lockAdministration } from "../../access/repository.js";
import { accountMailTexts, type MailLanguage } from "../../platform/mail/account-texts.js";
import type { Mailer } from "../../platform/mail/send-mail.js";
import { approve, decline, findRegistrations } from "./repository.js";

interface Decided {
  username: string;
  email: string | null;
  language: MailLanguage;
}

export function createRegistrationQueue({ database, mailer }: { database: Database; mailer: Mailer | null }) {
  const decide = async (
    adminId: string,
    { targetId, action, reason = null }: Pick<AdminLogRecord, "targetId" | "action"> & { reason?: string | null },
    work: (transaction: Transaction) => Promise<Decided | undefined>,
  ): Promise<void> => {
    const { username, email, language } = await database.transaction(async (transaction) => {
      await lockAdministration(transaction);
      await requireAdminsRemain(transaction, adminId);
      const decided = await work(transaction);
      if (decided === undefined) throw notFound(errorTexts.registration_not_found);
      const details = { username: decided.username, ...(reason === null ? {} : { reason }) };
      await appendAdminLog(transaction, { adminId, action, targetId, details });
      return decided;
    });
    if (email === null || mailer === null) return;
    const { subject, about } = accountMailTexts[language][action === "registration_approve" ? "approved" : "declined"];
    const text = [about(username), ...(reason === null ? [] : [reason])].join("\n\n");
    mailer.send({ to: email, language, subject, text: `${text}\n` });
  };

  return {
    list: (query: Parameters<typeof findRegistrations>[1]) => findRegistrations(database, query),

    approve: (adminId: string, targetId: string): Promise<void> =>
      decide(adminId, { targetId, action: "registration_approve" }, (transaction) => approve(transaction, targetId)),

    decline: (adminId: string, targetId: string, reason: string | null): Promise<void> =>
      decide(adminId, { targetId, action: "registration_decline", reason }, (transaction) =>
        decline(transaction, targetId, reason),
      ),
  };
}

/** The registrations that wait for an administrator (docs/protocol/registration.md#34.2). */
export type RegistrationQueue = ReturnType<typeof createRegistrationQueue>;
