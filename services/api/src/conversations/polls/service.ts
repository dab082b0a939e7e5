import { conflict, createEvent, errorTexts, forbidden, invalidInput, notFound, type Poll } from "@parley/contracts";
import type { Database, Queryable, Transaction } from "@parley/database/prisma";
import type { Emit, Outbox } from "@parley/outbox";
import { type InChannel, located, requireChannel } from "../../access/may.js";
import { requireWriting } from "../../access/safety.js";
import { type Job, untilNone } from "../../platform/jobs/job.js";
import {
  endedPolls,
  endPoll,
  expirePoll,
  findEndedPolls,
  findPolls,
  locatePoll,
  lockPoll,
  type PollLocation,
  takeVoteBack,
  vote,
} from "./repository.js";

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
  /** Changes a poll that has not ended. */
  const change = (may: MayVote, pollId: string, write: (open: OpenPoll) => Promise<Poll>): Promise<Poll> => {
    let locked: PollLocation | null = null;
    const lock = async (transaction: Transaction) => {
      locked = await lockPoll(transaction, pollId);
      if (locked === null) throw notFound(errorTexts.poll_not_found);
    };
    return may.change(async ({ transaction, emit, access }) => {
      requireWriting(access);
      const { userId, found } = access;
      if (locked?.ended ?? found.ended) throw conflict(errorTexts.poll_ended);
      return write({ transaction, emit, userId, found });
    }, lock);
  };

  /** @param write returns null when nothing has changed */
  const changeVote = (may: MayVote, pollId: string, write: (open: OpenPoll) => Promise<Choices | null>) =>
    change(may, pollId, async (open) => {
      const { transaction, emit, userId, found } = open;
      const choices = await write(open);
      const poll = await requirePoll(transaction, found, userId);
      if (choices === null) return poll;
      announce(emit, "POLL_VOTE", pollId, found, poll);
      announceChoices(emit, choices, { ...found, poll_id: pollId, user_id: userId });
      return poll;
    });

  return {
    async get(may: MayVote): Promise<Poll> {
      const { found, userId } = await may.access();
      return requirePoll(database, found, userId);
    },

    /** Sets the caller's choices, replacing earlier ones. */
    vote(may: MayVote, pollId: string, optionIds: readonly string[]): Promise<Poll> {
      return changeVote(may, pollId, async ({ transaction, userId, found: { multiple } }) => {
        const isOne = optionIds.length === 1;
        const before = optionIds.length > multiple ? null : await vote(transaction, { pollId, optionIds, userId });
        if (before === null) throw invalidInput(isOne ? errorTexts.option_id_invalid : errorTexts.option_ids_invalid);
        return { before, after: optionIds };
      });
    },

    /** Takes the caller's choices back. */
    takeBack(may: MayVote, pollId: string): Promise<Poll> {
      return changeVote(may, pollId, async ({ transaction, userId }) => {
        const before = await takeVoteBack(transaction, pollId, userId);
        return before === null ? null : { before, after: [] };
      });
    },

    /** Ends the caller's own poll now. */
    end(may: MayVote, pollId: string): Promise<Poll> {
      return change(may, pollId, async ({ transaction, emit, userId, found }) => {
        if (found.author_id !== userId) throw forbidden(errorTexts.poll_author_only);
        await expirePoll(transaction, pollId);
        await endPoll(transaction, pollId);
        const poll = await requirePoll(transaction, found, userId);
        announce(emit, "POLL_END", pollId, found, poll);
        return poll;
      });
    },
  };
}

/** Announces the ends of polls, and puts each into its author's inbox. */
export function endPolls({ database, outbox }: { database: Database; outbox: Outbox<Transaction> }): Job {
  const end = ({ id, ...place }: { id: string; server_id: string; channel_id: string }) =>
    outbox.transaction([place], async (transaction, emit) => {
      const ended = await endPoll(transaction, id);
      if (ended !== null) announce(emit, "POLL_END", id, ended, await requirePoll(transaction, ended, null));
    });
  return {
    name: "polls",
    causes: ["POLL_END"],
    when: { due: endedPolls },
    sizeMax: 100,
    lanes: 2,
    async batch({ size, resting }) {
      const ended = await findEndedPolls(database, size, resting.keys());
      await resting.each(ended, ({ id }) => id, end);
      return untilNone(ended.length);
    },
  };
}

type Place = Pick<PollLocation, "message_id" | "channel_id" | "server_id">;

/** The event has nobody's vote: each recipient gets their own. */
function announce(emit: Emit, name: "POLL_VOTE" | "POLL_END", pollId: string, place: Place, poll: Poll): void {
  const { message_id, channel_id, server_id } = place;
  const nobodys = { ...poll, user_vote: null, ...(poll.user_votes === undefined ? {} : { user_votes: [] }) };
  const payload = { poll_id: pollId, channel_id, message_id, updated_poll: nobodys };
  emit(createEvent(name, { server_id, channel_id }, payload, { poll_id: pollId }));
}

/** A poll that a transaction has locked, and its caller. */
interface OpenPoll {
  readonly transaction: Transaction;
  readonly emit: Emit;
  readonly userId: string;
  readonly found: PollLocation;
}

/** The options that a voter chose before a change, and after it. */
interface Choices {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

type Choice = Place & { readonly poll_id: string; readonly user_id: string };

/** Says which options the voter chooses no longer, and which ones now. */
function announceChoices(emit: Emit, { before, after }: Choices, { poll_id, user_id, ...place }: Choice): void {
  const { message_id, channel_id, server_id } = place;
  const changed = [
    ...before.filter((id) => !after.includes(id)).map((id) => ["POLL_VOTE_REMOVE", id] as const),
    ...after.filter((id) => !before.includes(id)).map((id) => ["POLL_VOTE_ADD", id] as const),
  ];
  for (const [name, option_id] of changed) {
    emit(createEvent(name, { server_id, channel_id }, { poll_id, option_id, message_id, channel_id, user_id }));
  }
}

export type PollService = ReturnType<typeof createPollService>;

/** @throws ServiceError 404 when the poll was removed with its message meanwhile */
async function requirePoll(
  connection: Queryable,
  { message_id }: Pick<PollLocation, "message_id">,
  viewerId: string | null,
): Promise<Poll> {
  const poll = (await findPolls(connection, [message_id], viewerId)).get(message_id);
  if (poll === undefined) throw notFound(errorTexts.poll_not_found);
  return poll;
}
