import { createEvent, errorTexts, invalidInput, notFound, type Poll } from "@parley/contracts";
import type { Database, Queryable, Transaction } from "@parley/database/prisma";
import { type InChannel, located, requireChannel } from "../../access/may.js";
import { requireWriting } from "../../access/safety.js";
import { findPolls, locatePoll, lockPoll, type PollLocation, vote } from "./repository.js";

/** The right to see a poll and to vote in it; voting refuses members who may not write. */
export const mayVote = located({
  missing: [errorTexts.poll_not_found],
  async find(connection, userId, { poll_id }: { poll_id: string }) {
    const row = await locatePoll(connection, poll_id);
    if (row === null) throw notFound(errorTexts.poll_not_found);
    return { ...(await requireChannel(connection, row.channel_id, userId, errorTexts.poll_not_found)), found: row };
  },
});

type MayVote = InChannel<PollLocation>;

export function createPollService({ database }: { database: Database }) {
  return {
    async get(may: MayVote): Promise<Poll> {
      const { found, userId } = await may.access();
      return requirePoll(database, found, userId);
    },

    /** Sets the caller's vote, replacing an earlier one. */
    vote(may: MayVote, pollId: string, optionId: string): Promise<Poll> {
      const lock = async (transaction: Transaction) => {
        if ((await lockPoll(transaction, pollId)) === null) throw notFound(errorTexts.poll_not_found);
      };
      return may.change(async ({ transaction, emit, access }) => {
        requireWriting(access);
        const { userId, found } = access;
        if (!(await vote(transaction, { pollId, optionId, userId }))) throw invalidInput(errorTexts.option_id_invalid);
        const poll = await requirePoll(transaction, found, userId);
        const { message_id, channel_id, server_id } = found;
        const payload = { poll_id: pollId, channel_id, message_id, updated_poll: { ...poll, user_vote: null } };
        emit(createEvent("POLL_VOTE", { server_id, channel_id }, payload, { poll_id: pollId }));
        return poll;
      }, lock);
    },
  };
}

export type PollService = ReturnType<typeof createPollService>;

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
