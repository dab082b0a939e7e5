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

// Loose: the other fields of the frame are kept.
const ShownPoll = z.looseObject({ user_vote: z.string().nullable() });
const PollFrame = z.looseObject({
  d: z.looseObject({ updated_poll: ShownPoll.optional(), poll: ShownPoll.nullish() }),
});

/**
 * The frames of an event that shows a poll: `user_vote` is each recipient's own vote (docs/interface.md#14.5).
 *
 * @param body the event's frame text
 * @param userIds the local recipients
 * @returns the frame for a user: at most one per option, and one for all who did not vote
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

/** The frame text of an event that shows a poll, with the recipient's vote. */
export function withOwnVote(body: Uint8Array, option: string | null): Uint8Array {
  const content = readPollFrame(body);
  if (content === null) return body;
  const shown = content.d.updated_poll ?? content.d.poll;
  if (shown !== undefined && shown !== null) shown.user_vote = option;
  return Buffer.from(JSON.stringify(content));
}

/** null for a frame without a poll: it is delivered unchanged. */
function readPollFrame(body: Uint8Array): z.infer<typeof PollFrame> | null {
  try {
    return PollFrame.parse(JSON.parse(Buffer.from(body).toString()));
  } catch {
    return null;
  }
}
