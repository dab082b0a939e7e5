import { createEvent, errorTexts, invalidInput, notFound, type Poll } from "@parley/contracts";
import type { Database, Queryable, Transaction } from "@parley/database/prisma";
import type { Outbox } from "@parley/outbox";
import { requireChannel } from "../../access/channel-access.js";
import { requireWriting } from "../../access/safety.js";
import { findPolls, locatePoll, lockPoll, type PollLocation, vote } from "./repository.js";

export interface PollService {
  get(userId: string, pollId: string): Promise<Poll>;
  /** Sets the caller's vote, replacing an earlier one. */
  vote(userId: string, pollId: string, optionId: string): Promise<Poll>;
}

export function createPollService(options: { database: Database; outbox: Outbox<Transaction> }): PollService {
  const { database, outbox } = options;

  const requireVisible = async (userId: string, pollId: string): Promise<PollLocation> => {
    const location = await locatePoll(database, pollId);
    if (location === null) throw notFound(errorTexts.poll_not_found);
    await requireChannel(database, location.channel_id, userId, errorTexts.poll_not_found);
    return location;
  };

  return {
    async get(userId, pollId) {
      return requirePoll(database, await requireVisible(userId, pollId), userId);
    },

    async vote(userId, pollId, optionId) {
      const place = await requireVisible(userId, pollId);
      return outbox.transaction([place], async (transaction, emit) => {
        const location = await lockPoll(transaction, pollId);
        if (location === null) throw notFound(errorTexts.poll_not_found);
        // Repeated under the locks, as the right may have been lost while waiting for them.
        requireWriting(await requireChannel(transaction, location.channel_id, userId, errorTexts.poll_not_found));
        if (!(await vote(transaction, { pollId, optionId, userId }))) throw invalidInput(errorTexts.option_id_invalid);
        const poll = await requirePoll(transaction, location, userId);
        const { message_id, channel_id, server_id } = location;
        const payload = { poll_id: pollId, channel_id, message_id, updated_poll: { ...poll, user_vote: null } };
        emit(createEvent("POLL_VOTE", { server_id, channel_id }, payload, { poll_id: pollId }));
        return poll;
      });
    },
  };
}

/** @throws ServiceError 404 when the poll was removed with its message meanwhile */
async function requirePoll(
  connection: Queryable,
  { message_id }: { message_id: string },
  viewerId: string | null,
): Promise<Poll> {
  const poll = (await findPolls(connection, [message_id], viewerId)).get(message_id);
  if (poll === undefined) throw notFound(errorTexts.poll_not_found);
  return poll;
}
