import { errorBody, errorTexts, ServiceError } from "@parley/contracts";
import type { FollowThread } from "../../notices/notifications/follow-thread.js";
import type { May, Stores } from "../../platform/http/may.js";
import { type Job, untilNone } from "../../platform/jobs/job.js";
import { type ClaimedMessage, claimPlanned, dueMessages, endPlanned, refusePlanned } from "./repository.js";
import { announcePlanned, toScheduledMessage } from "./service.js";

/** The right to send in one kind of conversation, by the parameters of its path. */
type MaySendTo<Params> = May<
  Params,
  { send(draft: { content: string; replyTo: string | null; nonce: string; hidesNonce: boolean }): Promise<unknown> }
>;

/**
 * Sends messages at their time, by the rights and rules of then. The nonce of a message makes it one, whichever process dies
 * between its storing and the end of the plan.
 */
export function sendPlanned(
  stores: Stores,
  options: {
    maySend: MaySendTo<{ channel_id: string; message_id?: string | undefined }>;
    maySendDirect: MaySendTo<{ id: string }>;
    follow: FollowThread;
  },
): Job {
  const send = async ({ user_id: userId, thread_id, channel_id, ...plan }: ClaimedMessage) => {
    if (!plan.may_act) throw new ServiceError("forbidden", errorTexts.account_disabled);
    const { content, reply_to: replyTo, nonce } = plan;
    const draft = { content, replyTo, nonce, hidesNonce: nonce === plan.id };
    if (plan.kind === "direct") {
      const params = { id: channel_id };
      await options.maySendDirect.ask(stores, { userId, session: null, params }).send(draft);
      return;
    }
    const params = { channel_id, message_id: thread_id ?? undefined };
    await options.maySend.ask(stores, { userId, session: null, params }).send(draft);
    if (thread_id !== null && plan.is_person) await options.follow({ userId, rootId: thread_id });
  };

  /** @returns why the message may not be sent; null when it was sent */
  const refusalOf = async (message: ClaimedMessage) => {
    try {
      await send(message);
      return null;
    } catch (error) {
      // The job tries a message again that cannot be judged at the moment.
      if (!(error instanceof ServiceError) || error.kind === "unavailable") throw error;
      const { code, message: text } = errorBody(error.message, error.code);
      return { code, message: text };
    }
  };

  const settle = async (message: ClaimedMessage) => {
    const refusal = await refusalOf(message);
    await stores.outbox.transaction([{ user_id: message.user_id }], async (transaction, emit) => {
      if (refusal === null) {
        if (await endPlanned(transaction, message.id)) announcePlanned(emit, message, null);
        return;
      }
      const row = await refusePlanned(transaction, message.id, refusal);
      if (row !== undefined) announcePlanned(emit, row, toScheduledMessage(row));
    });
  };

  return {
    name: "scheduled messages",
    causes: [
      ...(["MESSAGE_CREATE", "THREAD_MESSAGE_CREATE", "DM_MESSAGE_CREATE"] as const),
      ...(["NOTIFICATIONS_UPDATE", "SCHEDULED_MESSAGE_UPDATE"] as const),
    ],
    when: { due: dueMessages },
    sizeMax: 10,
    lanes: 4,
    async batch({ size, resting }) {
      const claimed = await claimPlanned(stores.database, size);
      await resting.each(claimed, ({ id }) => id, settle);
      return untilNone(claimed.length);
    },
  };
}
