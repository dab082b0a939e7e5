import { createStore, type StoreApi } from "zustand/vanilla";
import type { VoiceSettings } from "../device/schemas.js";
import type { App } from "../state/app/app.js";
import type { Servers } from "../state/community/servers.js";
import type { AppState } from "../state/store/app-state.js";
import { errorText } from "../texts/error-text.js";
import type { CallState } from "./call-state.js";
import { followDevices, followSpeakers, followTalking } from "./followers.js";
import { openCamera, openMicrophone, openScreen, stopTracks } from "./media.js";
import { createMesh } from "./mesh.js";
import type { SignalChannel } from "./signals.js";
import { noTracks, type Tracks } from "./tracks.js";
import { voiceSettingsOf } from "./voice-settings.js";

/** A call in a voice channel, from joining to leaving. */
export interface Call {
  readonly state: StoreApi<CallState>;
  setMuted(isMuted: boolean): Promise<void>;
  setDeafened(isDeafened: boolean): Promise<void>;
  setCamera(isOn: boolean): Promise<void>;
  setScreen(isOn: boolean): Promise<void>;
  /** Opens the microphone again, after the browser refused it or it was unplugged. */
  retryMicrophone(): Promise<void>;
  /** With push to talk: the key or the button is pressed, or released. */
  talk(isTalking: boolean): void;
  /** Shares the screen with the whole channel as its one broadcast. */
  goLive(): Promise<void>;
  leave(): Promise<void>;
}

/** The parts of the app that a call needs. */
export type CallParts = Pick<App, "client" | "store"> & {
  gateway: SignalChannel;
  servers: Pick<Servers, "readVoice">;
};

/**
 * Joins a voice channel and opens a peer connection to each participant. The call follows a moderator's move into another
 * channel. It ends by {@link Call.leave}, and when the user's voice state leaves the channel otherwise.
 */
export async function joinCall(
  { client, gateway, servers, store }: CallParts,
  channelId: string,
  onEnd: () => void,
): Promise<Call> {
  const { iceServers } = await client.voice.iceServers();
  const settings = voiceSettingsOf(store.getState().me?.id ?? "");
  const microphone = await tryMicrophone(settings.getState());
  const own = await client.voice.join(channelId).catch((error: unknown) => {
    microphone.track?.stop();
    throw error;
  });
  const state = createStore<CallState>(() => ({
    channelId,
    ownId: own.user_id,
    local: { ...noTracks, microphone: microphone.track },
    remote: {},
    speaking: {},
    isMuted: microphone.track === null,
    isDeafened: false,
    isTalking: false,
    deviceError: microphone.error,
  }));
  const meshIn = (channelId: string) =>
    createMesh({
      gateway,
      store,
      channelId,
      ownId: own.user_id,
      iceServers,
      local: () => state.getState().local,
      onTracks: (userId, tracks) =>
        state.setState(({ remote: { [userId]: _, ...others } }) => ({
          remote: tracks === null ? others : { ...others, [userId]: tracks },
        })),
    });
  let mesh = meshIn(channelId);
  const meetIn = async (channelId: string) => {
    await servers.readVoice(channelId);
    mesh.meet();
  };
  /** A moderator moved the user: the devices stay as they are, the participants are others. */
  const follow = (channelId: string) => {
    mesh.close();
    state.setState({ channelId });
    mesh = meshIn(channelId);
    meetIn(channelId).catch(end);
  };
  let movedTo: string | null = null;
  let isOver = false;
  const end = () => {
    if (isOver) return;
    isOver = true;
    for (const step of undo) step();
    mesh.close();
    stopTracks(state.getState().local);
    onEnd();
  };
  const send = async (change: Partial<Tracks>) => {
    // The call may have ended while the device was opened.
    if (isOver) return stopTracks({ ...noTracks, ...change });
    const local = { ...state.getState().local, ...change };
    state.setState({ local });
    await mesh.setTracks(local);
  };
  const undo = [
    followSpeakers(state),
    followTalking(state, settings, store),
    followDevices(state, settings, send, () => isOver),
    // It comes before the state, which would look as if another device had joined elsewhere.
    gateway.on("VOICE_MOVE", (move) => {
      movedTo = move.channel_id;
    }),
    store.subscribe((now, before) => {
      const { channelId } = state.getState();
      if (now.voice[channelId] === before.voice[channelId]) return;
      const isIn = ({ voice }: AppState, id: string | null) => id !== null && voice[id]?.[own.user_id] !== undefined;
      if (isIn(now, channelId)) mesh.meet();
      else if (movedTo !== null && isIn(now, movedTo)) follow(movedTo);
      else if (isIn(before, channelId)) end();
    }),
  ];
  await meetIn(channelId);
  const call = createCall({ client, store, state, settings, send, end });
  if (microphone.track === null) await call.setMuted(true);
  return call;
}

/** The actions of a participant. */
function createCall({
  client,
  store,
  state,
  settings,
  send,
  end,
}: Pick<CallParts, "client" | "store"> & {
  state: StoreApi<CallState>;
  settings: StoreApi<VoiceSettings>;
  send: (change: Partial<Tracks>) => Promise<void>;
  end: () => void;
}): Call {
  const { ownId } = state.getState();
  const here = () => state.getState().channelId;
  const stopScreen = async () => {
    const { screen, screenSound } = state.getState().local;
    screen?.stop();
    screenSound?.stop();
    await send({ screen: null, screenSound: null });
    if (store.getState().goLive[here()]?.broadcaster_id === ownId) await client.goLive.stop(here());
    await client.voice.update(here(), { self_screen: false });
  };
  /** Sends a device to the others once the server has accepted it; a refused one is turned off. */
  const share = async (tracks: Partial<Tracks>, accept: () => Promise<unknown>) => {
    try {
      await accept();
    } catch (error) {
      stopTracks({ ...noTracks, ...tracks });
      throw error;
    }
    await send(tracks);
  };
  /** Shares a screen that the user picks; `accept` asks the server whether they may. */
  const shareScreen = async (accept: () => Promise<unknown>) => {
    const tracks = await openScreen();
    if (tracks === null) return;
    await share(tracks, async () => {
      await accept();
      await client.voice.update(here(), { self_screen: true });
    });
    // The browser's own button, which may be pressed while the server is asked.
    if (tracks.screen?.readyState === "ended") return stopScreen();
    tracks.screen?.addEventListener("ended", () => void stopScreen().catch(() => undefined));
  };
  const call: Call = {
    state,
    async setMuted(isMuted) {
      if (isMuted) state.setState({ isMuted });
      await client.voice.update(here(), { self_mute: isMuted });
      if (!isMuted) state.setState({ isMuted });
    },
    async setDeafened(isDeafened) {
      state.setState({ isDeafened });
      await client.voice.update(here(), { self_deaf: isDeafened });
    },
    async setCamera(isOn) {
      const announce = () => client.voice.update(here(), { self_video: isOn });
      if (isOn) {
        const camera = await openCamera(settings.getState());
        return share({ camera }, async () => {
          await announce();
          state.getState().local.camera?.stop();
        });
      }
      state.getState().local.camera?.stop();
      await send({ camera: null });
      await announce();
    },
    setScreen: (isOn) => (isOn ? shareScreen(async () => undefined) : stopScreen()),
    async retryMicrophone() {
      const { track, error } = await tryMicrophone(settings.getState());
      state.setState({ deviceError: error });
      if (track === null) return;
      await send({ microphone: track });
      await call.setMuted(false);
    },
    talk: (isTalking) => state.setState({ isTalking }),
    async goLive() {
      const start = () => client.goLive.start(here(), {});
      if (state.getState().local.screen === null) await shareScreen(start);
      else await start();
    },
    async leave() {
      end();
      await client.voice.leave(here());
    },
  };
  return call;
}

/** The microphone; without one, or when it is refused, null and the remedy. */
async function tryMicrophone(settings: VoiceSettings): Promise<{
  track: MediaStreamTrack | null;
  error: string | null;
}> {
  try {
    return { track: await openMicrophone(settings), error: null };
  } catch (error) {
    return { track: null, error: errorText(error) };
  }
}
