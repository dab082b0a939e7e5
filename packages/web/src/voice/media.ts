import type { VoiceSettings } from "../device/schemas.js";
import { InputError } from "../texts/error-text.js";
import { texts } from "../texts/texts.js";
import { mediaKinds, type Tracks } from "./tracks.js";

/** Opens the chosen microphone, or another one if it is not there. Throws an {@link InputError} that says why not. */
export async function openMicrophone(settings: VoiceSettings): Promise<MediaStreamTrack> {
  const { microphoneId, echoCancellation, noiseSuppression, autoGainControl } = settings;
  const audio = { echoCancellation, noiseSuppression, autoGainControl };
  const stream = await openChosen("microphone", microphoneId, (chosen) => ({ audio: { ...audio, ...chosen } }));
  return firstTrack(stream.getAudioTracks());
}

/** Opens the chosen camera, in a size that several can send to each other. Throws as {@link openMicrophone}. */
export async function openCamera({ cameraId }: VoiceSettings): Promise<MediaStreamTrack> {
  const video = { width: { ideal: 640 }, frameRate: { max: 30 } };
  const stream = await openChosen("camera", cameraId, (chosen) => ({ video: { ...video, ...chosen } }));
  return firstTrack(stream.getVideoTracks());
}

/**
 * A screen or window that the person picks, with its sound where the browser gives it. Null when they picked none.
 * Throws as {@link openMicrophone}.
 */
export async function openScreen(): Promise<Pick<Tracks, "screen" | "screenSound"> | null> {
  const stream = await open("screen", (devices) =>
    devices
      .getDisplayMedia({ video: { frameRate: { max: 30 } }, audio: true })
      .catch((error: unknown) => (isCancelled(error) ? null : Promise.reject(error))),
  );
  if (stream === null) return null;
  return { screen: stream.getVideoTracks()[0] ?? null, screenSound: stream.getAudioTracks()[0] ?? null };
}

/** Turns the devices off. */
export function stopTracks(tracks: Tracks): void {
  for (const kind of mediaKinds) tracks[kind]?.stop();
}

/**
 * Opens a chosen device, or the system's preferred one if it was unplugged. With `ideal` in place of `exact`, Chromium
 * goes on with the microphone that is open already.
 */
function openChosen(
  what: "microphone" | "camera",
  deviceId: string,
  constraints: (chosen: MediaTrackConstraints) => MediaStreamConstraints,
): Promise<MediaStream> {
  return open(what, async (devices) => {
    if (deviceId === "") return devices.getUserMedia(constraints({}));
    try {
      return await devices.getUserMedia(constraints({ deviceId: { exact: deviceId } }));
    } catch (error) {
      if (reasonOf(error) !== "none") throw error;
      return devices.getUserMedia(constraints({}));
    }
  });
}

async function open<Stream>(
  what: "microphone" | "camera" | "screen",
  read: (devices: MediaDevices) => Promise<Stream>,
): Promise<Stream> {
  const labels = texts.voice.missing;
  // Browsers have no devices for pages without encryption, contrary to the types.
  const devices: MediaDevices | undefined = navigator.mediaDevices;
  if (devices === undefined) throw new InputError(labels.insecure);
  try {
    return await read(devices);
  } catch (error) {
    throw new InputError(labels[what][reasonOf(error)], { cause: error });
  }
}

function reasonOf(error: unknown): "refused" | "none" | "busy" {
  const name = error instanceof DOMException ? error.name : "";
  if (name === "NotAllowedError" || name === "SecurityError") return "refused";
  return name === "NotFoundError" || name === "OverconstrainedError" ? "none" : "busy";
}

/** The person closed the browser's window without a choice; a refusal of the system names it. */
const isCancelled = (error: unknown): boolean =>
  error instanceof DOMException && error.name === "NotAllowedError" && !/system/i.test(error.message);

function firstTrack([track]: readonly MediaStreamTrack[]): MediaStreamTrack {
  if (track === undefined) throw new Error("The browser gave a stream without the track that was asked for.");
  return track;
}
