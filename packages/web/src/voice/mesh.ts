import type { VoiceSignalEvent, VoiceState } from "@parley/client";
import type { AppStore } from "../state/store/app-store.js";
import { Peer } from "./peer.js";
import { createSignals, type SignalChannel } from "./signals.js";
import type { Tracks } from "./tracks.js";

/** The connections of one call: one to each other participant. */
export interface Mesh {
  /** Connects to the participants who joined before, and closes connections to users who have left. */
  meet(): void;
  /** Sends these tracks to everybody from now on. */
  setTracks(local: Tracks): Promise<void>;
  close(): void;
}

/** Opens the connections of a call, and keeps them in step with the participants of the channel. */
export function createMesh({
  gateway,
  store,
  channelId,
  ownId,
  iceServers,
  local,
  onTracks,
}: {
  gateway: SignalChannel;
  store: AppStore;
  channelId: string;
  ownId: string;
  iceServers: readonly RTCIceServer[];
  /** The tracks for new participants. */
  local: () => Tracks;
  /** Gets the tracks of a participant; null once the connection is closed. */
  onTracks: (userId: string, tracks: Tracks | null) => void;
}): Mesh {
  const signals = createSignals(gateway);
  const peers = new Map<string, { peer: Peer; joinedAt: string | null }>();
  const failures = new Map<string, number>();

  const forget = (userId: string) => {
    peers.get(userId)?.peer.close();
    peers.delete(userId);
    signals.drop(userId);
    onTracks(userId, null);
  };
  const connect = (userId: string, joinedAt: string | null, session: string) => {
    forget(userId);
    const peer = new Peer({
      userId,
      session,
      iceServers,
      send: signals.send,
      onTracks: (tracks) => onTracks(userId, tracks),
      onFailed: () => {
        failures.set(userId, (failures.get(userId) ?? 0) + 1);
        forget(userId);
        meet();
      },
    });
    peers.set(userId, { peer, joinedAt });
    return peer;
  };
  const meet = () => {
    const present = store.getState().voice[channelId] ?? {};
    const me = present[ownId];
    if (me === undefined) return;
    for (const userId of [...peers.keys()]) if (present[userId] === undefined) forget(userId);
    for (const other of Object.values(present)) {
      if (other.user_id === ownId || !isLater(me, other)) continue;
      const known = peers.get(other.user_id);
      if (known?.joinedAt === other.joined_at || (failures.get(other.user_id) ?? 0) > failuresMax) continue;
      const peer = connect(other.user_id, other.joined_at, crypto.randomUUID());
      peer.offer(local()).catch(() => forget(other.user_id));
    }
  };
  const receive = (signal: VoiceSignalEvent) => {
    const { from_user_id: userId, stream_type: session, type } = signal;
    if (session === null) return;
    let peer = peers.get(userId)?.peer;
    if (peer?.session !== session) {
      // A rest of an earlier connection; an offer begins a new one.
      if (type !== "offer") return;
      peer = connect(userId, store.getState().voice[channelId]?.[userId]?.joined_at ?? null, session);
    }
    peer.receive(signal, local()).catch(() => forget(userId));
  };
  const stopReceiving = gateway.on("VOICE_SIGNAL", receive);
  return {
    meet,
    async setTracks(tracks) {
      await Promise.all([...peers.values()].map(({ peer }) => peer.setTracks(tracks)));
    },
    close() {
      stopReceiving();
      for (const userId of [...peers.keys()]) forget(userId);
      signals.drop();
    },
  };
}

/** Connections to one participant that may fail before the call goes on without it. */
const failuresMax = 3;

/** Whether `one` joined after `other`; both sides find the same. */
function isLater(one: VoiceState, other: VoiceState): boolean {
  const [a, b] = [one.joined_at ?? "", other.joined_at ?? ""];
  return a === b ? one.user_id > other.user_id : a > b;
}
