import { useEffect, useRef } from "react";
import { useStore } from "zustand";
import { usualSound } from "../device/schemas.js";
import { useAppState } from "../state/app/use-app.js";
import type { Call } from "./call.js";
import { isSilenced } from "./silenced.js";
import { useVoiceSettings } from "./use-voice-settings.js";

/** Plays the sound of all participants, as loud as this person wants each of them. */
export function CallSound({ call }: { call: Call }) {
  const remote = useStore(call.state, (state) => state.remote);
  const isDeafened = useStore(call.state, (state) => state.isDeafened);
  const channelId = useStore(call.state, (state) => state.channelId);
  const { ownId } = call.state.getState();
  const states = useAppState((state) => state.voice[channelId]);
  const hearsNothing = isDeafened || states?.[ownId]?.server_deaf === true;
  const [settings] = useVoiceSettings();
  return Object.entries(remote).flatMap(([userId, { microphone, screenSound }]) => {
    const person = settings.people[userId] ?? usualSound;
    return [microphone, screenSound].flatMap((track) =>
      track === null ? (
        []
      ) : (
        <Sound
          key={`${userId} ${track.id}`}
          track={track}
          userId={userId}
          isMuted={hearsNothing || person.isMuted || isSilenced(states?.[userId])}
          volume={(settings.volume / 100) * (person.volume / 100)}
          outputId={settings.outputId}
        />
      ),
    );
  });
}

function Sound({
  track,
  userId,
  isMuted,
  volume,
  outputId,
}: {
  track: MediaStreamTrack;
  userId: string;
  isMuted: boolean;
  /** 0 to 1. */
  volume: number;
  outputId: string;
}) {
  const element = useRef<HTMLAudioElement>(null);
  useEffect(() => {
    if (element.current !== null) element.current.srcObject = new MediaStream([track]);
  }, [track]);
  useEffect(() => {
    if (element.current !== null) element.current.volume = volume;
  }, [volume]);
  useEffect(() => {
    const audio: Partial<HTMLAudioElement> | null = element.current;
    // Where the output is gone, the browser goes on with the one before. Safari has no choice of outputs.
    audio?.setSinkId?.(outputId).catch(() => undefined);
  }, [outputId]);
  return <audio ref={element} data-user={userId} autoPlay muted={isMuted} />;
}
