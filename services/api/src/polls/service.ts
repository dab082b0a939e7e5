import { createEvent, invalidInput, type Message, notFound, type Poll } from "@parley/contracts";
import type { Database, Queryable } from "@parley/database";
import type { Outbox } from "@parley/outbox";
import { requireChannel } from "../access/channel-access.js";
import { findMessage } from "../messages/repository.js";
import { toMessage } from "../messages/resource.js";
import type { SendMessage } from "../messages/send.js";
import { type Draft, missingReference } from "../messages/writer.js";
import { findPolls, insertPoll, locatePoll, lockPoll, type PollLocation, vote } from "./repository.js";
import type { CreatePoll } from "./schema.js";

export interface PollService {
  /** Sends a message with a poll. */
  create(userId: string, channelId: string, poll: CreatePoll): Promise<Message>;
  get(userId: string, pollId: string): Promise<Poll>;
  /** Sets the caller's vote, instead of an earlier one. */
  vote(userId: string, pollId: string, optionId: string): Promise<Poll>;
}

export function createPollService(options: { database: Database; outbox: Outbox; send: SendMessage }): PollService {
  const { database, outbox, send } = options;

  const storeWithPoll = async (draft: Draft, poll: CreatePoll): Promise<Message> => {
    try {
      const order = { server_id: draft.serverId, channel_id: draft.channelId };
      return await outbox.transaction([order], async (transaction, emit) => {
        const row = await findMessage(transaction, await insertPoll(transaction, draft, poll));
        if (row === null) throw new Error("A stored poll was not found");
        const stored = await requirePoll(transaction, { message_id: row.id }, null);
        const message = toMessage(row, stored);
        const target = { server_id: row.server_id, channel_id: row.channel_id };
        emit(createEvent("MESSAGE_CREATE", target, message, { poll_id: stored.id, automod: draft.pending }));
        return message;
      });
    } catch (error) {
      throw missingReference(error);
    }
  };

  const requireVisible = async (userId: string, pollId: string): Promise<PollLocation> => {
    const location = await locatePoll(database, pollId);
    if (location === null) throw notFound("Poll not found");
    await requireChannel(database, location.channel_id, userId, "Poll not found");
    return location;
  };

  return {
    create: (userId, channelId, poll) =>
      send(
        {
          userId,
          channelId,
          content: `📊 Poll: ${poll.question}`,
          filteredTexts: [poll.question, ...poll.options],
        },
        (draft) => storeWithPoll(draft, poll),
      ),

    async get(userId, pollId) {
      return requirePoll(database, await requireVisible(userId, pollId), userId);
    },

    async vote(userId, pollId, optionId) {
      const place = await requireVisible(userId, pollId);
      return outbox.transaction([place], async (transaction, emit) => {
        const location = await lockPoll(transaction, pollId);
        if (location === null) throw notFound("Poll not found");
        if (!(await vote(transaction, { pollId, optionId, userId }))) throw invalidInput("Invalid option_id");
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
  if (poll === undefined) throw notFound("Poll not found");
  return poll;
}
