import type { VoiceSignalEvent, VoiceState } from "@parley/client";
import { createStore, type StoreApi } from "zustand/vanilla";
import type { Page } from "../state/page.js";
import { openCamera, openMicrophone, openScreen, stopTracks } from "./media.js";
import { noTracks, Peer, type Tracks } from "./peer.js";
import { createSignals } from "./signals.js";

/** What is known of a call. */
export interface CallState {
  channelId: string;
  /** What this page sends. */
  local: Tracks;
  /** What the others send, by user. */
  remote: Readonly<Record<string, Tracks>>;
  isMuted: boolean;
  isDeafened: boolean;
  /** Error of opening the microphone, if there is none or access was refused; the call then sends no sound. */
  microphoneError: unknown;
}

/** A call in a voice channel, from joining to leaving. */
export interface Call {
  readonly state: StoreApi<CallState>;
  setMuted(isMuted: boolean): Promise<void>;
  setDeafened(isDeafened: boolean): Promise<void>;
  setCamera(isOn: boolean): Promise<void>;
  setScreen(isOn: boolean): Promise<void>;
  /** Shares the screen with the whole channel as its one broadcast. */
  goLive(): Promise<void>;
  leave(): Promise<void>;
}

/**
 * Joins a voice channel and opens a peer connection to each participant. The call ends by {@link Call.leave}, and when
 * the user's voice state leaves the channel.
 */
export async function joinCall(page: Page, channelId: string, onEnd: () => void): Promise<Call> {
  const { client, gateway, store } = page;
  const { iceServers } = await client.voice.iceServers();
  const microphone = await openMicrophone();
  const own = await client.voice.join(channelId);
  const state = createStore<CallState>(() => ({
    channelId,
    local: { ...noTracks, microphone: microphone.track },
    remote: {},
    isMuted: microphone.track === null,
    isDeafened: false,
    microphoneError: microphone.error,
  }));
  const signals = createSignals(gateway);
  const peers = new Map<string, { peer: Peer; joinedAt: string | null }>();
  const failures = new Map<string, number>();
  let isOver = false;

  const forget = (userId: string) => {
    peers.get(userId)?.peer.close();
    peers.delete(userId);
    signals.drop(userId);
    state.setState(({ remote }) => {
      const { [userId]: _, ...others } = remote;
      return { remote: others };
    });
  };
  const connect = (userId: string, joinedAt: string | null, session: string) => {
    forget(userId);
    const peer = new Peer({
      userId,
      session,
      iceServers,
      send: signals.send,
      onTracks: (tracks) => state.setState(({ remote }) => ({ remote: { ...remote, [userId]: tracks } })),
      onFailed: () => {
        failures.set(userId, (failures.get(userId) ?? 0) + 1);
        forget(userId);
        meet();
      },
    });
    peers.set(userId, { peer, joinedAt });
    return peer;
  };
  /** Connects to the participants who joined before, and closes connections to users who have left. */
  const meet = () => {
    const present = store.getState().voice[channelId] ?? {};
    const me = present[own.user_id];
    if (me === undefined) return;
    for (const userId of [...peers.keys()]) if (present[userId] === undefined) forget(userId);
    for (const other of Object.values(present)) {
      if (other.user_id === own.user_id || !isLater(me, other)) continue;
      const known = peers.get(other.user_id);
      if (known?.joinedAt === other.joined_at || (failures.get(other.user_id) ?? 0) > failuresMax) continue;
      const peer = connect(other.user_id, other.joined_at, crypto.randomUUID());
      peer.offer(state.getState().local).catch(() => forget(other.user_id));
    }
  };
  const receive = (signal: VoiceSignalEvent) => {
    const { from_user_id: userId, stream_type: session, type } = signal;
    if (session === null) return;
    let peer = peers.get(userId)?.peer;
    if (peer?.session !== session) {
      // What is left of an earlier connection; an offer begins a new one.
      if (type !== "offer") return;
      peer = connect(userId, store.getState().voice[channelId]?.[userId]?.joined_at ?? null, session);
    }
    peer.receive(signal, state.getState().local).catch(() => forget(userId));
  };
  const end = () => {
    if (isOver) return;
    isOver = true;
    for (const step of undo) step();
    for (const userId of [...peers.keys()]) forget(userId);
    signals.drop();
    stopTracks(state.getState().local);
    onEnd();
  };
  const send = async (change: Partial<Tracks>) => {
    const local = { ...state.getState().local, ...change };
    state.setState({ local });
    await Promise.all([...peers.values()].map(({ peer }) => peer.setTracks(local)));
  };
  const stopScreen = async () => {
    const { screen, screenSound } = state.getState().local;
    screen?.stop();
    screenSound?.stop();
    await send({ screen: null, screenSound: null });
    if (store.getState().goLive[channelId]?.broadcaster_id === own.user_id) await client.goLive.stop(channelId);
    await client.voice.update(channelId, { self_screen: false });
  };
  const undo = [
    gateway.on("VOICE_SIGNAL", receive),
    store.subscribe((now, before) => {
      if (now.voice[channelId] === before.voice[channelId]) return;
      const isIn = now.voice[channelId]?.[own.user_id] !== undefined;
      if (isIn) meet();
      else if (before.voice[channelId]?.[own.user_id] !== undefined) end();
    }),
  ];
  await page.servers.readVoice(channelId);
  meet();

  const call: Call = {
    state,
    async setMuted(isMuted) {
      const { microphone: track } = state.getState().local;
      if (track !== null) track.enabled = !isMuted;
      state.setState({ isMuted });
      await client.voice.update(channelId, { self_mute: isMuted });
    },
    async setDeafened(isDeafened) {
      state.setState({ isDeafened });
      await client.voice.update(channelId, { self_deaf: isDeafened });
    },
    async setCamera(isOn) {
      state.getState().local.camera?.stop();
      await send({ camera: isOn ? await openCamera() : null });
      await client.voice.update(channelId, { self_video: isOn });
    },
    async setScreen(isOn) {
      if (!isOn) return stopScreen();
      const tracks = await openScreen();
      // The browser's own button.
      tracks.screen?.addEventListener("ended", () => void stopScreen().catch(() => undefined));
      await send(tracks);
      await client.voice.update(channelId, { self_screen: true });
    },
    async goLive() {
      if (state.getState().local.screen === null) await call.setScreen(true);
      await client.goLive.start(channelId, {});
    },
    async leave() {
      end();
      await client.voice.leave(channelId);
    },
  };
  if (microphone.track === null) await call.setMuted(true);
  return call;
}

/** Connections to one participant that may fail before the call goes on without it. */
const failuresMax = 3;

/** Whether `one` joined after `other`; both sides find the same. */
function isLater(one: VoiceState, other: VoiceState): boolean {
  const [a, b] = [one.joined_at ?? "", other.joined_at ?? ""];
  return a === b ? one.user_id > other.user_id : a > b;
}
