import type { MinimalLogger } from "@parley/service-runtime";
import type { Voice } from "@parley/voice";
import type { Membership } from "./membership.js";

/** Pause between attempts to end a removed member's voice state while Redis is unavailable. */
const voiceRetryMs = 1_000;
/** Removed members whose voice states may wait for Redis at a time. */
const voiceRetriesMax = 1_000;

/** Runs the removal of a member and ends their voice state before and after it. */
export type WithVoiceCleanup = <T>(member: Membership, remove: () => Promise<T>) => Promise<T>;

/**
 * A removed member is in no voice channel of the server. Their leave event comes first (docs/protocol/moderation.md#10.1); the
 * second end, after the commit, covers a join in between.
 *
 * The removal does not depend on Redis: while Redis is unavailable, ending the voice state is retried until it is back.
 */
export function createVoiceCleanup({ voice, logger }: { voice: Voice; logger: MinimalLogger }): WithVoiceCleanup {
  let waiting = 0;

  const endLater = (member: Membership) => {
    if (waiting >= voiceRetriesMax) return;
    waiting += 1;
    const attempt = async () => {
      try {
        await voice.leaveServer(member.userId, member.serverId);
        waiting -= 1;
      } catch {
        setTimeout(attempt, voiceRetryMs).unref();
      }
    };
    setTimeout(attempt, voiceRetryMs).unref();
  };

  return async (member, remove) => {
    const { userId, serverId } = member;
    await voice.leaveServer(userId, serverId).catch((error: unknown) => {
      logger.warn({ err: error, user_id: userId, server_id: serverId }, "voice of a removed member ends later");
    });
    const result = await remove();
    await voice.leaveServer(userId, serverId).catch(() => endLater({ userId, serverId }));
    return result;
  };
}
