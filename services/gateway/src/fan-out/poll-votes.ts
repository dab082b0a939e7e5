import { type Database, defineStatement } from "@parley/database";
import { z } from "zod";
import { encodeTextFrame } from "../connection/frames.js";

const votesStatement = defineStatement({
  name: "gateway_poll_votes",
  text: "SELECT user_id, option_id || also AS choices FROM poll_votes WHERE poll_id = $1 AND user_id = ANY ($2::uuid[])",
  row: z.object({ user_id: z.string(), choices: z.array(z.string()) }),
});

const ownVotesStatement = defineStatement({
  name: "gateway_own_poll_votes",
  text: "SELECT poll_id, option_id || also AS choices FROM poll_votes WHERE user_id = $1 AND poll_id = ANY ($2::uuid[])",
  row: z.object({ poll_id: z.string(), choices: z.array(z.string()) }),
});

/** The only places of these bytes in a frame: within a text JSON has a backslash before each quotation mark. */
const noVote = Buffer.from('"user_vote":null');
const noVotes = Buffer.from('"user_votes":[]');

/**
 * The frames of an event that shows a poll: `user_vote` is each recipient's own vote (docs/protocol/events.md#14.5).
 *
 * @param userIds the local recipients
 * @returns for the event's frame text the frame for a user: at most one per choice, and one for all users without a vote
 */
export async function personalPollFrames(
  database: Pick<Database, "query">,
  pollId: string,
  userIds: readonly string[],
): Promise<(body: Uint8Array) => (userId: string) => Buffer> {
  const votes = await database.query(votesStatement, [pollId, userIds]);
  const choicesOf = new Map(votes.map((vote) => [vote.user_id, vote.choices]));
  return (body) => {
    const frames = new Map<string, Buffer>();
    return (userId) => {
      const choices = choicesOf.get(userId) ?? [];
      const key = choices.join();
      const known = frames.get(key);
      if (known !== undefined) return known;
      const frame = encodeTextFrame(withOwnVote(body, choices));
      frames.set(key, frame);
      return frame;
    };
  };
}

/** The votes of one user: by poll the options. */
export async function votesOf(
  database: Pick<Database, "query">,
  userId: string,
  pollIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (pollIds.length === 0) return new Map();
  const votes = await database.query(ownVotesStatement, [userId, pollIds]);
  return new Map(votes.map((vote) => [vote.poll_id, vote.choices]));
}

/** The frame text of an event that shows a poll, with the recipient's vote; of one without a poll the text as it is. */
export function withOwnVote(body: Uint8Array, choices: readonly string[]): Uint8Array {
  const [first] = choices;
  if (first === undefined) return body;
  return replaced(replaced(body, noVote, `"user_vote":"${first}"`), noVotes, `"user_votes":${JSON.stringify(choices)}`);
}

function replaced(body: Uint8Array, old: Buffer, text: string): Uint8Array {
  const at = Buffer.from(body.buffer, body.byteOffset, body.byteLength).indexOf(old);
  return at < 0 ? body : Buffer.concat([body.subarray(0, at), Buffer.from(text), body.subarray(at + old.length)]);
}
