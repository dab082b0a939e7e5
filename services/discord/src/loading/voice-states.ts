import { VoiceState } from "@parley/contracts";
import type { RedisConnection } from "@parley/redis";

const Kept = VoiceState.pick({
  user_id: true,
  channel_id: true,
  self_mute: true,
  self_deaf: true,
  self_video: true,
  self_screen: true,
  server_mute: true,
  server_deaf: true,
  suppressed: true,
});

/** Voice states that the service reads where `packages/voice` keeps them. */
export type ReadVoiceStates = ReturnType<typeof createReadVoiceStates>;

/** @returns a reader of the states of users in voice channels, by user */
export const createReadVoiceStates =
  ({ redis }: { redis: Pick<RedisConnection, "client"> }) =>
  async (userIds: readonly string[]) => {
    const texts = userIds.length === 0 ? [] : await redis.client.mget(userIds.map((id) => `voice:user:${id}`));
    const states = texts.flatMap((text) => (text === null ? [] : Kept.parse(JSON.parse(text))));
    return new Map(states.map((state) => [state.user_id, state]));
  };
