import type { VoiceSignal, VoiceSignalEvent } from "@parley/client";
import { mediaKinds, noTracks, type Tracks } from "./tracks.js";

const trackType = { microphone: "audio", camera: "video", screen: "video", screenSound: "audio" } as const;

/**
 * How long candidates are collected before a description is sent: with them in it, most connections need two signals.
 */
const gatheringMs = 1_000;

/**
 * The connection to one participant. The participant who joined later sends the offer, so offers never cross. All
 * transceivers exist from the beginning, in both directions: a camera is turned on by giving its sender a track,
 * without another offer.
 */
export class Peer {
  /** Id of this connection in its signals. Signals of an earlier connection with the participant have another one. */
  readonly session: string;
  readonly #connection: RTCPeerConnection;
  readonly #userId: string;
  readonly #send: (signal: VoiceSignal) => void;
  #local: Tracks = noTracks;
  #early: RTCIceCandidateInit[] = [];
  #isSent = false;

  constructor(options: {
    userId: string;
    session: string;
    iceServers: readonly RTCIceServer[];
    send: (signal: VoiceSignal) => void;
    /** Tracks that can be shown from now on. */
    onTracks: (tracks: Tracks) => void;
    /** The connection broke and does not come back by itself. */
    onFailed: () => void;
  }) {
    const { userId, session, iceServers, send, onTracks, onFailed } = options;
    this.#userId = userId;
    this.session = session;
    this.#send = send;
    this.#connection = new RTCPeerConnection({ iceServers: [...iceServers] });
    this.#connection.ontrack = () => onTracks(this.#remoteTracks());
    this.#connection.onicecandidate = ({ candidate }) => {
      // Those found before the description is sent are in it.
      if (candidate !== null && this.#isSent) this.#signal("candidate", { candidate: JSON.stringify(candidate) });
    };
    this.#connection.onconnectionstatechange = () => {
      if (this.#connection.connectionState === "failed") onFailed();
    };
  }

  /** Begins: for the one who offers. */
  async offer(local: Tracks): Promise<void> {
    for (const kind of mediaKinds) this.#connection.addTransceiver(trackType[kind], { direction: "sendrecv" });
    await this.setTracks(local);
    await this.#connection.setLocalDescription();
    await this.#sendDescription("offer");
  }

  /** Takes a signal of this connection's session. */
  async receive({ type, sdp, candidate }: VoiceSignalEvent, local: Tracks): Promise<void> {
    if (type === "candidate") return this.#addCandidate(candidate);
    if (sdp === null) return;
    await this.#connection.setRemoteDescription({ type, sdp });
    if (type === "offer") {
      for (const transceiver of this.#connection.getTransceivers()) transceiver.direction = "sendrecv";
      await this.setTracks(local);
      await this.#connection.setLocalDescription();
      await this.#sendDescription("answer");
    }
    const early = this.#early;
    this.#early = [];
    for (const init of early) await this.#connection.addIceCandidate(init);
  }

  /** Sends these from now on. */
  async setTracks(local: Tracks): Promise<void> {
    this.#local = local;
    const transceivers = this.#connection.getTransceivers();
    await Promise.all(
      mediaKinds.map(async (kind, index) => {
        const sender = transceivers[index]?.sender;
        if (sender !== undefined && sender.track !== this.#local[kind]) await sender.replaceTrack(this.#local[kind]);
      }),
    );
  }

  close(): void {
    this.#connection.onconnectionstatechange = null;
    this.#connection.close();
  }

  async #addCandidate(text: string | null): Promise<void> {
    if (text === null) return;
    const init = readCandidate(text);
    if (init === null) return;
    if (this.#connection.remoteDescription === null) this.#early.push(init);
    else await this.#connection.addIceCandidate(init);
  }

  async #sendDescription(type: "offer" | "answer"): Promise<void> {
    await gathered(this.#connection);
    this.#isSent = true;
    this.#signal(type, { sdp: this.#connection.localDescription?.sdp ?? null });
  }

  #signal(type: VoiceSignal["type"], content: Pick<VoiceSignal, "sdp" | "candidate">): void {
    this.#send({ to_user_id: this.#userId, type, stream_type: this.session, ...content });
  }

  #remoteTracks(): Tracks {
    const [microphone, camera, screen, screenSound] = this.#connection
      .getTransceivers()
      .map(({ receiver }) => receiver.track);
    return {
      microphone: microphone ?? null,
      camera: camera ?? null,
      screen: screen ?? null,
      screenSound: screenSound ?? null,
    };
  }
}

function readCandidate(text: string): RTCIceCandidateInit | null {
  try {
    const init: unknown = JSON.parse(text);
    return typeof init === "object" ? init : null;
  } catch {
    return null;
  }
}

/** Resolves once all candidates are found, or enough time has passed. */
function gathered(connection: RTCPeerConnection): Promise<void> {
  if (connection.iceGatheringState === "complete") return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      connection.removeEventListener("icegatheringstatechange", onChange);
      resolve();
    };
    const onChange = () => {
      if (connection.iceGatheringState === "complete") done();
    };
    const timer = setTimeout(done, gatheringMs);
    connection.addEventListener("icegatheringstatechange", onChange);
  });
}
