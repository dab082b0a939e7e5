import { mediaKinds, type Tracks } from "./peer.js";

/** The microphone; without one, or when it is refused, null and why. */
export async function openMicrophone(): Promise<{ track: MediaStreamTrack | null; error: unknown }> {
  try {
    const stream = await navigator.mediaDevices.getUserMedia({
      audio: { echoCancellation: true, noiseSuppression: true, autoGainControl: true },
    });
    return { track: stream.getAudioTracks()[0] ?? null, error: null };
  } catch (error) {
    return { track: null, error };
  }
}

/** The camera, in a size that several can send to each other. */
export async function openCamera(): Promise<MediaStreamTrack | null> {
  const stream = await navigator.mediaDevices.getUserMedia({
    video: { width: { ideal: 640 }, frameRate: { max: 30 } },
  });
  return stream.getVideoTracks()[0] ?? null;
}

/** A screen or window that the person picks, with its sound where the browser gives it. */
export async function openScreen(): Promise<Pick<Tracks, "screen" | "screenSound">> {
  const stream = await navigator.mediaDevices.getDisplayMedia({ video: { frameRate: { max: 30 } }, audio: true });
  return { screen: stream.getVideoTracks()[0] ?? null, screenSound: stream.getAudioTracks()[0] ?? null };
}

/** Turns the devices off. */
export function stopTracks(tracks: Tracks): void {
  for (const kind of mediaKinds) tracks[kind]?.stop();
}
