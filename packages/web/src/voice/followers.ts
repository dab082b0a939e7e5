import type { StoreApi } from "zustand/vanilla";
import type { VoiceSettings } from "../device/schemas.js";
import { createTurns } from "../state/platform/turns.js";
import type { AppStore } from "../state/store/app-store.js";
import { errorText } from "../texts/error-text.js";
import type { CallState } from "./call-state.js";
import { watchSpeakers } from "./levels.js";
import { openCamera, openMicrophone } from "./media.js";
import { isSilenced } from "./silenced.js";
import type { Tracks } from "./tracks.js";

/** Keeps the call's list of those who speak. @returns how it ends */
export function followSpeakers(state: StoreApi<CallState>): () => void {
  const speakers = watchSpeakers((speaking) => state.setState({ speaking }));
  const follow = ({ ownId, local, remote }: CallState) =>
    speakers.follow({
      [ownId]: local.microphone,
      ...Object.fromEntries(Object.entries(remote).map(([userId, { microphone }]) => [userId, microphone])),
    });
  follow(state.getState());
  const stop = state.subscribe((now, before) => {
    if (now.local !== before.local || now.remote !== before.remote) follow(now);
  });
  return () => {
    stop();
    speakers.close();
  };
}

/**
 * Lets sound through the microphone while one is not muted and, with push to talk, holds the key. Of a silenced participant no
 * sound goes out at all.
 */
export function followTalking(
  state: StoreApi<CallState>,
  settings: StoreApi<VoiceSettings>,
  store: AppStore,
): () => void {
  const apply = () => {
    const { channelId, ownId, local, isMuted, isTalking } = state.getState();
    const maySpeak = !isSilenced(store.getState().voice[channelId]?.[ownId]);
    const isHeard = maySpeak && !isMuted && (isTalking || !settings.getState().isPushToTalk);
    if (local.microphone !== null) local.microphone.enabled = isHeard;
    if (local.screenSound !== null) local.screenSound.enabled = maySpeak;
  };
  apply();
  const stops = [
    state.subscribe(apply),
    settings.subscribe(apply),
    store.subscribe((now, before) => {
      if (now.voice !== before.voice) apply();
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** Opens another microphone or camera when another one is chosen, and sends it in the place of the one before. */
export function followDevices(
  state: StoreApi<CallState>,
  settings: StoreApi<VoiceSettings>,
  send: (change: Partial<Tracks>) => Promise<void>,
  isOver: () => boolean,
): () => void {
  const inTurn = createTurns();
  const replace = (kind: "microphone" | "camera", open: (settings: VoiceSettings) => Promise<MediaStreamTrack>) =>
    inTurn(kind, async () => {
      const before = state.getState().local[kind];
      if (before === null) return;
      const track = await open(settings.getState());
      // The call may have ended, or the camera been turned off, while the device was opened.
      if (isOver() || state.getState().local[kind] !== before) return track.stop();
      await send({ [kind]: track });
      before.stop();
      state.setState({ deviceError: null });
    }).catch((error: unknown) => state.setState({ deviceError: errorText(error) }));
  // Not fired by stopping the track: the device was unplugged.
  const onEnded = () => void replace("microphone", openMicrophone);
  state.getState().local.microphone?.addEventListener("ended", onEnded);
  const stops = [
    state.subscribe(({ local: { microphone } }, { local: before }) => {
      if (microphone !== before.microphone) microphone?.addEventListener("ended", onEnded);
    }),
    settings.subscribe((now, before) => {
      if (microphoneFields.some((field) => now[field] !== before[field])) void replace("microphone", openMicrophone);
      if (now.cameraId !== before.cameraId) void replace("camera", openCamera);
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

const microphoneFields = ["microphoneId", "noiseSuppression", "echoCancellation", "autoGainControl"] as const;
