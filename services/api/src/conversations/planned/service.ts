import {
  caps,
  createEvent,
  errorTexts,
  notFound,
  type ScheduledMessage,
  type ScheduledMessageList,
} from "@parley/contracts";
import type { Database, Transaction } from "@parley/database/prisma";
import type { Emit, Outbox } from "@parley/outbox";
import { lockAccount, requireBelowCap } from "../../access/caps.js";
import { isEmptyChange } from "../../platform/http/empty-change.js";
import { OtherAnswer } from "../../platform/http/route.js";
import { findRepeatedMessage } from "../../platform/nonces/repository.js";
import {
  changePlanned,
  countPlanned,
  deletePlanned,
  findPlanned,
  findPlannedBy,
  insertPlanned,
  type NewPlan,
  type PlannedRow,
} from "./repository.js";
import type { UpdatePlanned } from "./schema.js";

/**
 * Plans a message where it has a time, else sends it.
 *
 * @param check the rights that sending needs now, which are judged again at the time
 */
export type SendOrPlan = <T>(
  plan: Omit<NewPlan, "sendAt"> & { sendAt: Date | undefined },
  steps: { check: () => Promise<unknown>; send: () => Promise<T> },
) => Promise<T | OtherAnswer>;

export function createPlannedMessages({ database, outbox }: { database: Database; outbox: Outbox<Transaction> }) {
  /** @returns the plan, which an earlier request with the nonce may have made */
  const add = (plan: NewPlan) =>
    outbox.transaction([{ user_id: plan.userId }], async (transaction, emit) => {
      await lockAccount(transaction, plan.userId);
      const earlier = await findPlannedBy(transaction, plan);
      if (earlier !== null) return earlier;
      requireBelowCap(caps.scheduledMessages, await countPlanned(transaction, plan.userId));
      const row = await insertPlanned(transaction, plan);
      announcePlanned(emit, row, toScheduledMessage(row));
      return row;
    });

  const sendOrPlan: SendOrPlan = async ({ sendAt, ...plan }, { check, send }) => {
    if (sendAt === undefined) return send();
    await check();
    const { userId: authorId, channelId, nonce } = plan;
    const isSent = (await findRepeatedMessage(database, { authorId, channelId, nonce })) !== null;
    if (isSent) return send();
    const { id, send_at } = await add({ ...plan, sendAt });
    return new OtherAnswer(202, { id, send_at: send_at.toISOString() });
  };

  return {
    sendOrPlan,

    /** The caller's planned messages, the next one first. */
    async list(userId: string): Promise<ScheduledMessageList> {
      return { scheduled_messages: (await findPlanned(database, userId)).map(toScheduledMessage) };
    },

    /** Changes text or time; a message that was refused waits again. Without a field nothing changes. */
    change(userId: string, id: string, changes: UpdatePlanned): Promise<ScheduledMessage> {
      return outbox.transaction([{ user_id: userId }], async (transaction, emit) => {
        const isEmpty = isEmptyChange(changes);
        const row = isEmpty
          ? (await findPlanned(transaction, userId)).find((plan) => plan.id === id)
          : await changePlanned(transaction, { id, userId }, changes);
        if (row === undefined) throw notFound(errorTexts.scheduled_message_not_found);
        const message = toScheduledMessage(row);
        if (!isEmpty) announcePlanned(emit, row, message);
        return message;
      });
    },

    delete(userId: string, id: string): Promise<void> {
      return outbox.transaction([{ user_id: userId }], async (transaction, emit) => {
        if (!(await deletePlanned(transaction, { id, userId }))) throw notFound(errorTexts.scheduled_message_not_found);
        announcePlanned(emit, { id, user_id: userId }, null);
      });
    },
  };
}

export type PlannedMessages = ReturnType<typeof createPlannedMessages>;

/** @param message null once it is sent or deleted */
export function announcePlanned(
  emit: Emit,
  { id, user_id }: Pick<PlannedRow, "id" | "user_id">,
  message: ScheduledMessage | null,
): void {
  emit(createEvent("SCHEDULED_MESSAGE_UPDATE", { user_id }, { id, scheduled_message: message }));
}

export const toScheduledMessage = (row: PlannedRow): ScheduledMessage => ({
  id: row.id,
  channel_id: row.channel_id,
  thread_id: row.thread_id,
  content: row.content,
  reply_to: row.reply_to,
  send_at: row.send_at.toISOString(),
  created_at: row.created_at.toISOString(),
  error: row.refusal,
});
