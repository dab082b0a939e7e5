import { isDeepStrictEqual } from "node:util";
import { caps, createEvent, errorTexts, invalidInput, type NotificationSettings } from "@parley/contracts";
import type { Database, Transaction } from "@parley/database/prisma";
import type { Emit, Outbox } from "@parley/outbox";
import { capText, lockAccount } from "../../access/caps.js";
import { getEmail } from "../../people/users/repository.js";
import type { ChangeTurns } from "../../platform/load/change-turns.js";
import type { MailLanguage } from "../../platform/mail/account-texts.js";
import {
  findNotifications,
  forgetMissed,
  removeTargets,
  saveNotifications,
  saveTargets,
  type Target,
  type TargetKind,
} from "./repository.js";
import type { PatchNotifications } from "./schema.js";

type Entry = Partial<{ level: string | null; muted_until: string | Date | null; suppress_everyone: boolean }>;
type Entries = Readonly<Record<string, Entry | null>>;

export function createNotificationService(options: {
  database: Database;
  outbox: Outbox<Transaction>;
  turns: ChangeTurns;
}) {
  const { database, outbox, turns } = options;
  return {
    get(userId: string): Promise<NotificationSettings> {
      return findNotifications(database, userId);
    },

    /**
     * Merges changes with the stored settings; without an effect there is no event.
     *
     * @param asked language of the mails and address of the installation, which are kept when the changes ask for mails
     */
    change(
      userId: string,
      changes: PatchNotifications,
      asked: { language: MailLanguage; url: string } | null,
    ): Promise<NotificationSettings> {
      const change = async (transaction: Transaction, emit: Emit) => {
        await lockAccount(transaction, userId);
        const before = await findNotifications(transaction, userId);
        if (changes.mail !== undefined && changes.mail !== "off") await requireVerified(transaction, userId);
        const settings = {
          ...before,
          default: { level: changes.default?.level ?? before.default.level },
          quiet: changes.quiet === undefined ? before.quiet : changes.quiet,
          timezone: changes.timezone ?? before.timezone,
          push: {
            enabled: changes.push?.enabled ?? before.push.enabled,
            content: changes.push?.content ?? before.push.content,
          },
          mail: changes.mail ?? before.mail,
        };
        await saveNotifications(transaction, userId, settings, changes.mail === undefined ? null : asked);
        // The service never mails about messages that a user missed while their mails were off.
        if ((before.mail === "off") !== (settings.mail === "off")) await forgetMissed(transaction, userId);
        const targets = [
          ...targetsOf("server", before.servers, changes.servers),
          ...targetsOf("channel", before.channels, changes.channels),
          ...targetsOf("thread", before.threads, changes.threads),
        ];
        await saveTargets(
          transaction,
          userId,
          targets.flatMap(({ merged }) => merged ?? []),
        );
        await removeTargets(
          transaction,
          userId,
          targets.filter(({ merged }) => merged === null),
        );
        const after = await findNotifications(transaction, userId);
        const count = countTargets(after);
        if (count > caps.notifications.max && count > countTargets(before))
          throw invalidInput(capText(caps.notifications));
        if (!isDeepStrictEqual(before, after)) emit(createEvent("NOTIFICATIONS_UPDATE", { user_id: userId }, after));
        return after;
      };
      return turns.run(userId, () => outbox.transaction([{ user_id: userId }], change));
    },
  };
}

export type NotificationService = ReturnType<typeof createNotificationService>;

/** @throws ServiceError 400 for an account without an address that is verified */
async function requireVerified(transaction: Transaction, userId: string): Promise<void> {
  const { email_verified_at } = await getEmail(transaction, userId);
  if (email_verified_at === null) throw invalidInput(errorTexts.email_verification_needed);
}

const countTargets = ({ servers, channels, threads }: NotificationSettings): number =>
  [servers, channels, threads].reduce((count, entries) => count + Object.keys(entries).length, 0);

/** The given entries, merged with the stored ones; null for an entry to remove. */
function targetsOf(kind: TargetKind, before: Entries, given: Entries = {}) {
  return Object.entries(given).map(([id, entry]): { kind: TargetKind; id: string; merged: Target | null } => {
    if (entry === null) return { kind, id, merged: null };
    const { level, muted_until, suppress_everyone } = { ...before[id], ...withoutUndefined(entry) };
    const mutedUntil = muted_until instanceof Date ? muted_until.toISOString() : (muted_until ?? null);
    return {
      kind,
      id,
      merged: { kind, id, level: level ?? null, mutedUntil, suppressEveryone: suppress_everyone ?? false },
    };
  });
}

const withoutUndefined = (entry: Entry): Entry =>
  Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined));
