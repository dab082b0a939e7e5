import type { VoiceState } from "@parley/contracts";
import type { RedisConnection } from "@parley/redis";
import { StoredState, toVoiceState } from "./change.js";
import { createVoiceStore, stateKey } from "./scripts.js";

/** Reads voice states for processes that change none. */
export type ReadVoiceStates = ReturnType<typeof createReadVoiceStates>;

/**
 * @returns a reader of the states of users who are in voice channels, by user (docs/protocol/objects.md#4.19); it rejects with
 * ServiceError `unavailable` while Redis is out of reach
 */
export function createReadVoiceStates({ redis }: { redis: RedisConnection }) {
  const store = createVoiceStore(redis);
  return async (userIds: readonly string[]): Promise<ReadonlyMap<string, VoiceState>> => {
    const texts = userIds.length === 0 ? [] : await store.read(...userIds.map(stateKey.voice));
    const states = texts.flatMap((text) => (text === null ? [] : StoredState.parse(JSON.parse(text))));
    return new Map(states.map((state) => [state.user_id, toVoiceState(state)]));
  };
}
