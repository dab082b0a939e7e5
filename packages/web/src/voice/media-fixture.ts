import { vi } from "vitest";
import { type MediaKind, mediaKinds, noTracks, type Tracks } from "./tracks.js";

// The browser's media for tests: it has devices and connections, and nothing goes through them.

/** A track of a device. */
export class FakeTrack extends EventTarget implements MediaStreamTrack {
  readonly kind = "audio";
  readonly muted = false;
  contentHint = "";
  enabled = true;
  readyState: MediaStreamTrackState = "live";
  onended = null;
  onmute = null;
  onunmute = null;
  readonly id: string;
  readonly label: string;

  constructor(label: string) {
    super();
    this.id = label;
    this.label = label;
  }

  stop(): void {
    this.readyState = "ended";
  }
  clone(): MediaStreamTrack {
    return new FakeTrack(this.label);
  }
  async applyConstraints(): Promise<void> {}
  getCapabilities(): MediaTrackCapabilities {
    return {};
  }
  getConstraints(): MediaTrackConstraints {
    return {};
  }
  getSettings(): MediaTrackSettings {
    return {};
  }
}

/** Tracks of some kinds, named after them. */
export const tracksOf = (...kinds: MediaKind[]): Tracks =>
  Object.assign({ ...noTracks }, ...kinds.map((kind) => ({ [kind]: new FakeTrack(kind) })));

interface FakeSender {
  track: MediaStreamTrack | null;
  replaceTrack: (track: MediaStreamTrack | null) => Promise<void>;
}

/** A connection that negotiates at once and finds its candidates when the test says so. */
export class FakeConnection extends EventTarget {
  /** All that were made, the oldest first. */
  static made: FakeConnection[] = [];

  connectionState = "new";
  iceGatheringState = "gathering";
  localDescription: { type: string; sdp: string } | null = null;
  remoteDescription: { type: string; sdp: string } | null = null;
  ontrack: (() => void) | null = null;
  onicecandidate: ((event: { candidate: object | null }) => void) | null = null;
  onconnectionstatechange: (() => void) | null = null;
  readonly added: unknown[] = [];
  readonly replaced: string[] = [];
  isClosed = false;
  /** The error that refuses the next description of the other side. */
  failure: Error | null = null;
  #transceivers: { direction: string; sender: FakeSender; receiver: { track: MediaStreamTrack } }[] = [];

  constructor() {
    super();
    FakeConnection.made.push(this);
  }

  addTransceiver(): void {
    const kind = mediaKinds[this.#transceivers.length] ?? "microphone";
    const sender: FakeSender = {
      track: null,
      replaceTrack: async (track) => {
        this.replaced.push(track?.label ?? `no ${kind}`);
        sender.track = track;
      },
    };
    this.#transceivers.push({ direction: "recvonly", sender, receiver: { track: new FakeTrack(`their ${kind}`) } });
  }
  getTransceivers() {
    return this.#transceivers;
  }
  async setLocalDescription(): Promise<void> {
    const type = this.remoteDescription === null ? "offer" : "answer";
    this.localDescription = { type, sdp: `own ${type}` };
  }
  async setRemoteDescription(description: { type: string; sdp: string }): Promise<void> {
    if (this.failure !== null) throw this.failure;
    this.remoteDescription = description;
    if (this.#transceivers.length === 0) for (const _ of mediaKinds) this.addTransceiver();
  }
  async addIceCandidate(init: unknown): Promise<void> {
    this.added.push(init);
  }
  close(): void {
    this.isClosed = true;
  }

  /** All candidates are found. */
  gather(): void {
    this.iceGatheringState = "complete";
    this.dispatchEvent(new Event("icegatheringstatechange"));
  }
  /** The connection breaks for good. */
  fail(): void {
    this.connectionState = "failed";
    this.onconnectionstatechange?.();
  }
}

/** Puts the fakes in the place of the browser's; `vi.unstubAllGlobals` ends that. */
export function fakeMedia(open: () => Promise<MediaStreamTrack> = async () => new FakeTrack("microphone")): void {
  FakeConnection.made = [];
  const stream = async () => {
    const track = await open();
    return { getAudioTracks: () => [track], getVideoTracks: () => [track] };
  };
  vi.stubGlobal("RTCPeerConnection", FakeConnection);
  vi.stubGlobal("MediaStream", class {});
  vi.stubGlobal("navigator", { mediaDevices: { getUserMedia: stream, getDisplayMedia: stream } });
  vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined });
  const node = { connect: () => undefined, disconnect: () => undefined };
  vi.stubGlobal(
    "AnalyserNode",
    class {
      getFloatTimeDomainData = () => undefined;
    },
  );
  vi.stubGlobal(
    "AudioContext",
    class {
      createMediaStreamSource = () => node;
      close = async () => undefined;
    },
  );
}

/** A gateway that keeps the signals that were sent, and brings those of others. */
export function fakeSignals() {
  const sent: { type: string; session: string | null | undefined; to: string }[] = [];
  const listeners = new Set<(signal: SignalEvent) => void>();
  const movers = new Set<(move: MoveEvent) => void>();
  return {
    sent,
    signalVoice: ({
      type,
      stream_type,
      to_user_id,
    }: {
      type: string;
      stream_type?: string | null;
      to_user_id: string;
    }) => void sent.push({ type, session: stream_type, to: to_user_id }),
    on(
      ...[name, listener]: ["VOICE_SIGNAL", (signal: SignalEvent) => void] | ["VOICE_MOVE", (move: MoveEvent) => void]
    ) {
      if (name === "VOICE_MOVE") {
        movers.add(listener);
        return () => void movers.delete(listener);
      }
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    move(channelId: string) {
      for (const mover of movers) mover({ server_id: "club", channel_id: channelId });
    },
    bring(signal: Partial<SignalEvent>) {
      const whole = { ...signalOf("offer"), ...signal };
      for (const listener of listeners) listener(whole);
    },
  };
}

interface MoveEvent {
  server_id: string;
  channel_id: string;
}

interface SignalEvent {
  from_user_id: string;
  type: "offer" | "answer" | "candidate";
  sdp: string | null;
  candidate: string | null;
  stream_type: string | null;
}

/** A signal of Ben. */
export const signalOf = (type: SignalEvent["type"], candidate: string | null = null): SignalEvent => ({
  from_user_id: "ben",
  type,
  sdp: type === "candidate" ? null : `their ${type}`,
  candidate,
  stream_type: "session",
});

/** Lets everything that is ready go on. */
export async function turn(): Promise<void> {
  for (let step = 0; step < 50; step += 1) await Promise.resolve();
}
