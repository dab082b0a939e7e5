import { type Database, defineStatement } from "@parley/database";
import { z } from "zod";
import { encodeTextFrame } from "../connection/frames.js";

const votesStatement = defineStatement({
  name: "gateway_poll_votes",
  text: "SELECT user_id, option_id FROM poll_votes WHERE poll_id = $1 AND user_id = ANY ($2::uuid[])",
  row: z.object({ user_id: z.string(), option_id: z.string() }),
});

const ownVotesStatement = defineStatement({
  name: "gateway_own_poll_votes",
  text: "SELECT poll_id, option_id FROM poll_votes WHERE user_id = $1 AND poll_id = ANY ($2::uuid[])",
  row: z.object({ poll_id: z.string(), option_id: z.string() }),
});

/** The only place of these bytes in a frame: within a text JSON has a backslash before each quotation mark. */
const noVote = Buffer.from('"user_vote":null');

/**
 * The frames of an event that shows a poll: `user_vote` is each recipient's own vote (docs/protocol/events.md#14.5).
 *
 * @param body the event's frame text
 * @param userIds the local recipients
 * @returns the frame for a user: at most one per option, and one for all users without a vote
 */
export async function personalPollFrames(
  database: Pick<Database, "query">,
  pollId: string,
  body: Uint8Array,
  userIds: readonly string[],
): Promise<(userId: string) => Buffer> {
  const votes = await database.query(votesStatement, [pollId, userIds]);
  const optionOf = new Map(votes.map((vote) => [vote.user_id, vote.option_id]));
  const frames = new Map<string | null, Buffer>();
  return (userId) => {
    const option = optionOf.get(userId) ?? null;
    const known = frames.get(option);
    if (known !== undefined) return known;
    const frame = encodeTextFrame(withOwnVote(body, option));
    frames.set(option, frame);
    return frame;
  };
}

/** The votes of one user: by poll the option. */
export async function votesOf(
  database: Pick<Database, "query">,
  userId: string,
  pollIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (pollIds.length === 0) return new Map();
  const votes = await database.query(ownVotesStatement, [userId, pollIds]);
  return new Map(votes.map((vote) => [vote.poll_id, vote.option_id]));
}

/** The frame text of an event that shows a poll, with the recipient's vote; of one without a poll the text as it is. */
export function withOwnVote(body: Uint8Array, option: string | null): Uint8Array {
  const at = option === null ? -1 : Buffer.from(body.buffer, body.byteOffset, body.byteLength).indexOf(noVote);
  if (at < 0) return body;
  const vote = Buffer.from(`"user_vote":"${option}"`);
  return Buffer.concat([body.subarray(0, at), vote, body.subarray(at + noVote.length)]);
}
