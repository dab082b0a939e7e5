import { caps, createEvent, errorTexts, notFound, type Reminder, type ReminderList } from "@parley/contracts";
import type { Database, Transaction } from "@parley/database/prisma";
import type { Emit, Outbox } from "@parley/outbox";
import { lockAccount, requireBelowCap } from "../../access/caps.js";
import { type Job, untilNone } from "../../platform/jobs/job.js";
import type { FindAnyMessages } from "../any-message/find.js";
import {
  countReminders,
  deleteReminder,
  dueReminders,
  findDueReminders,
  findReminders,
  fireReminder,
  insertReminder,
  type ReminderRow,
} from "./repository.js";
import type { ReminderBody } from "./schema.js";

export function createReminders(options: {
  database: Database;
  outbox: Outbox<Transaction>;
  findMessages: FindAnyMessages;
}) {
  const { database, outbox, findMessages } = options;
  return {
    /** The caller's reminders, the next one first. */
    async list(userId: string): Promise<ReminderList> {
      return { reminders: (await findReminders(database, userId)).map(toReminder) };
    },

    /** Sets a reminder of a message that the caller may read, of a text, or of both. */
    async add(userId: string, { message_id, text = null, at }: ReminderBody): Promise<Reminder> {
      const messageId = message_id ?? null;
      if (messageId !== null && !(await findMessages([messageId], userId)).has(messageId))
        throw notFound(errorTexts.message_not_found);
      return outbox.transaction([{ user_id: userId }], async (transaction, emit) => {
        await lockAccount(transaction, userId);
        requireBelowCap(caps.reminders, await countReminders(transaction, userId));
        const reminder = toReminder(await insertReminder(transaction, { userId, messageId, text, at }));
        announce(emit, userId, reminder.id, reminder);
        return reminder;
      });
    },

    /** Deletes a reminder before its time. */
    remove(userId: string, id: string): Promise<void> {
      return outbox.transaction([{ user_id: userId }], async (transaction, emit) => {
        if (!(await deleteReminder(transaction, { id, userId }))) throw notFound(errorTexts.reminder_not_found);
        announce(emit, userId, id, null);
      });
    },
  };
}

export type Reminders = ReturnType<typeof createReminders>;

/** Reminds accounts at the time that they chose. */
export function remind({ database, outbox }: { database: Database; outbox: Outbox<Transaction> }): Job {
  const fire = ({ id, user_id: userId }: Pick<ReminderRow, "id" | "user_id">) =>
    outbox.transaction([{ user_id: userId }], async (transaction, emit) => {
      if (await fireReminder(transaction, id)) announce(emit, userId, id, null);
    });
  return {
    name: "reminders",
    causes: ["REMINDER_UPDATE"],
    when: { due: dueReminders },
    sizeMax: 100,
    lanes: 2,
    async batch({ size, resting }) {
      const due = await findDueReminders(database, size, resting.keys());
      await resting.each(due, ({ id }) => id, fire);
      return untilNone(due.length);
    },
  };
}

/** @param reminder null once it is deleted or its time has come */
const announce = (emit: Emit, userId: string, id: string, reminder: Reminder | null) =>
  emit(createEvent("REMINDER_UPDATE", { user_id: userId }, { id, reminder }));

const toReminder = ({ id, message_id, text, due_at, created_at }: ReminderRow): Reminder => ({
  id,
  message_id,
  text,
  at: due_at.toISOString(),
  created_at: created_at.toISOString(),
});
