import { errorTexts, forbidden, type GoLiveSession, type VoiceState } from "@parley/contracts";
import type { Outbox } from "@parley/outbox";
import type { RedisConnection } from "@parley/redis";
import { StoredSession, StoredState, toGoLiveSession, toVoiceState } from "./change.js";
import { republishAfterMs, republishBatchMax, rightsCheckMs, rightsServersMax } from "./limits.js";
import { publish, readChange, republish } from "./publish.js";
import { createVoiceStore, stateKey } from "./scripts.js";

/** The flags of a voice state that its user sets. */
export type VoiceFlags = Partial<Pick<VoiceState, "self_mute" | "self_deaf" | "self_video" | "self_screen">>;

/** The keys of a voice state that moderators and rights decide. */
export type DecidedKeys = { server_mute?: boolean; server_deaf?: boolean; suppressed?: boolean };

/** A user in a voice channel. */
export interface Stay {
  userId: string;
  channelId: string;
  /** Whether the state says that the user may not speak. */
  isSuppressed?: boolean;
  /** Whether a moderator moved the user there. */
  isMoved?: boolean;
}

/** Outcome of a request to go live. */
export type StartOutcome = { outcome: "started"; session: GoLiveSession } | { outcome: "not_in_channel" | "taken" };

const parseState = (text: string) => StoredState.parse(JSON.parse(text));

/**
 * Voice states and broadcasts of all users (docs/protocol/calls.md#9.1, docs/protocol/calls.md#9.2), which processes share through
 * Redis.
 *
 * Every function that changes something runs one atomic script, stores its events before it resolves, and rejects with
 * ServiceError `unavailable` while Redis is out of reach. If storing the events fails, the change stays, and `republish`
 * publishes it later. These functions must not be called inside a database transaction.
 *
 * The caller checks rights; {@link createVoiceRights} ends the states of users who lost theirs. A right may be lost
 * between check and change. Therefore the caller of `join` checks again afterwards, and a transaction that ends a
 * membership, or deletes a channel or server, is preceded by a call that ends voice there (so the leave event comes
 * first) and followed by another one. Either this second call finds the join, or the second check finds the right gone.
 */
export type Voice = ReturnType<typeof createVoice>;

export function createVoice(options: { redis: RedisConnection; outbox: Outbox }) {
  const { outbox } = options;
  const store = createVoiceStore(options.redis);

  const publishAll = async (texts: readonly string[]) => {
    const changes = texts.map(readChange);
    await publish({ outbox, store }, changes);
    return changes.map(({ change }) => change);
  };
  const resultingState = async (texts: readonly string[]) => {
    const changes = await publishAll(texts);
    const last = changes.at(-1);
    return last?.kind === "voice" && last.state !== null ? toVoiceState(last.state) : null;
  };
  const end = async (userId: string, conditions: { channelId?: string; serverId?: string; joinedUpToMs?: number }) => {
    const { channelId = "", serverId = "", joinedUpToMs = "" } = conditions;
    const changes = await publishAll(await store.run("leave", [userId, channelId, serverId, joinedUpToMs]));
    return changes.length > 0;
  };

  return {
    /**
     * Puts the user into the channel and takes them out of any other one, which ends their broadcast there. A repeated
     * call replaces the state by a new one.
     *
     * @param target.limit most users in the channel; 0 and absent for any number
     * @param target.keys what moderators and rights decide; absent: as in the state before
     * @throws ServiceError 403 when the channel is full
     */
    async join(target: {
      userId: string;
      username: string;
      serverId: string;
      channelId: string;
      limit?: number;
      keys?: DecidedKeys;
    }): Promise<VoiceState> {
      const { userId, username, serverId, channelId, limit = 0, keys = {} } = target;
      const place = [userId, username, serverId, channelId];
      const texts = await store.run("join", [...place, limit, JSON.stringify(keys)]);
      if (texts[0] === "full") throw forbidden(errorTexts.voice_channel_full);
      const state = await resultingState(texts);
      if (state === null) throw new Error("joining a voice channel left no state");
      return state;
    },

    /** Sets flags; null when the user is not in this channel. */
    async update(userId: string, channelId: string, flags: VoiceFlags): Promise<VoiceState | null> {
      return resultingState(await store.run("update", [userId, channelId, JSON.stringify(flags)]));
    },

    /** Sets what moderators and rights decide about the user's state in the server, if it differs. */
    async decide(place: { userId: string; serverId: string; channelId?: string }, keys: DecidedKeys): Promise<void> {
      const { userId, serverId, channelId = "" } = place;
      const { suppressed, ...others } = keys;
      const changed = suppressed === undefined ? others : { ...others, suppressed: suppressed || null };
      await publishAll(await store.run("moderate", [userId, serverId, channelId, JSON.stringify(changed)]));
    },

    /** Moves the user from any channel of the server into another one; false when they are in none. */
    async move(place: { userId: string; serverId: string; channelId: string }, suppressed: boolean): Promise<boolean> {
      const { userId, serverId, channelId } = place;
      const [outcome, ...texts] = await store.run("move", [userId, serverId, channelId, suppressed ? 1 : 0]);
      await publishAll(outcome === "moved" ? texts : []);
      return outcome === "moved";
    },

    /** The user's state in the server; null when they are in none of its voice channels. */
    async stateIn(userId: string, serverId: string): Promise<VoiceState | null> {
      const [text] = await store.read(stateKey.voice(userId));
      const state = text ? parseState(text) : null;
      return state?.server_id === serverId ? toVoiceState(state) : null;
    },

    /** False when the user is not in this channel. */
    leave: (userId: string, channelId: string): Promise<boolean> => end(userId, { channelId }),

    /**
     * Ends the user's voice state wherever it is; false without one.
     *
     * @param options.joinedUpToMs a state that began later stays (milliseconds, by the clock of Redis)
     */
    endAllOfUser: (userId: string, options: { joinedUpToMs?: number } = {}): Promise<boolean> => end(userId, options),

    /** Ends the user's voice state if it is in a channel of this server (kick, ban, leave); false without one. */
    leaveServer: (userId: string, serverId: string): Promise<boolean> => end(userId, { serverId }),

    /** Ends every voice state in the channel and its broadcast (deletion). */
    async clearChannel(channelId: string): Promise<void> {
      await publishAll(await store.run("clear", ["channel", channelId]));
    },

    /** Ends every voice state in the server's channels and their broadcasts (deletion). */
    async clearServer(serverId: string): Promise<void> {
      await publishAll(await store.run("clear", ["server", serverId]));
    },

    /** The voice states in the channel, by joined_at. */
    async listChannel(channelId: string): Promise<VoiceState[]> {
      const texts = await store.run("list", ["channel", channelId]);
      return texts.map((text) => toVoiceState(parseState(text)));
    },

    /** The users in voice channels of the server. */
    async listServer(serverId: string): Promise<Stay[]> {
      const texts = await store.run("list", ["server", serverId]);
      return texts.map(parseState).map(({ user_id, channel_id, suppressed, moved }) => ({
        userId: user_id,
        channelId: channel_id,
        isSuppressed: suppressed === true,
        isMoved: moved === true,
      }));
    },

    /**
     * Servers with voice states whose last check, by any process, was `afterMs` ago or earlier. The call counts as a
     * check.
     */
    serversToCheck: ({ afterMs } = { afterMs: rightsCheckMs }): Promise<string[]> =>
      store.run("claim", ["voice:checks", afterMs, rightsServersMax]),

    /** The channel that the user is in, or null. */
    async channelOf(userId: string): Promise<{ serverId: string; channelId: string } | null> {
      const [text] = await store.read(stateKey.voice(userId));
      if (!text) return null;
      const { server_id, channel_id } = parseState(text);
      return { serverId: server_id, channelId: channel_id };
    },

    /** The channel that two different users are in at this moment, or null (VOICE_SIGNAL, docs/protocol/connecting.md#14.3). */
    async shareChannel(userId: string, otherUserId: string): Promise<string | null> {
      const [state, other] = await store.read(stateKey.voice(userId), stateKey.voice(otherUserId));
      if (!state || !other || userId === otherUserId) return null;
      const { channel_id } = parseState(state);
      return channel_id === parseState(other).channel_id ? channel_id : null;
    },

    /** Starts the user's broadcast, or renews it with this quality; `taken` while another user is live in the channel. */
    async startGoLive(target: {
      userId: string;
      channelId: string;
      quality: GoLiveSession["quality"];
    }): Promise<StartOutcome> {
      const { userId, channelId, quality } = target;
      const [outcome, ...texts] = await store.run("startGoLive", [userId, channelId, quality]);
      if (outcome === "not_in_channel" || outcome === "taken") return { outcome };
      const [change] = await publishAll(texts);
      if (change?.kind !== "go_live" || change.session === null) throw new Error("going live left no session");
      return { outcome: "started", session: toGoLiveSession(change.session) };
    },

    /** The channel's broadcast, or null. */
    async getGoLive(channelId: string): Promise<GoLiveSession | null> {
      const [text] = await store.read(stateKey.go_live(channelId));
      return text ? toGoLiveSession(StoredSession.parse(JSON.parse(text))) : null;
    },

    /** Ends the user's broadcast in the channel. */
    async stopGoLive(userId: string, channelId: string): Promise<"stopped" | "none" | "not_broadcaster"> {
      const [outcome, ...texts] = await store.run("stopGoLive", [userId, channelId]);
      if (outcome === "none" || outcome === "not_broadcaster") return outcome;
      await publishAll(texts);
      return "stopped";
    },

    /**
     * Publishes changes that stayed unpublished, because their process died or lost the database. Any number of
     * processes may call it at the same time; gateways do so every few seconds.
     *
     * @returns how many changes it found; a full batch (100) means that there may be more
     */
    async republish(): Promise<number> {
      const texts = await store.run("claim", ["voice:unsaid", republishAfterMs, republishBatchMax]);
      if (texts.length > 0) await republish({ outbox, store }, texts.map(readChange));
      return texts.length;
    },
  };
}
