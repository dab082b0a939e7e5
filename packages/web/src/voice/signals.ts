import type { VoiceMoveEvent, VoiceSignal, VoiceSignalEvent } from "@parley/client";

/** A gateway drops more than 20 messages a second of a connection, without an error; half of them are for signals. */
const spacingMs = 100;

/** The part of the gateway that a call needs. */
export interface SignalChannel {
  on(name: "VOICE_SIGNAL", listener: (signal: VoiceSignalEvent) => void): () => void;
  on(name: "VOICE_MOVE", listener: (move: VoiceMoveEvent) => void): () => void;
  signalVoice(signal: VoiceSignal): void;
}

/** Sends signals one after another, slowly enough that none is dropped. */
export function createSignals(gateway: Pick<SignalChannel, "signalVoice">): {
  send: (signal: VoiceSignal) => void;
  /** Drops the waiting signals for one user, or for all. */
  drop: (userId?: string) => void;
} {
  let waiting: VoiceSignal[] = [];
  let timer: ReturnType<typeof setTimeout> | null = null;
  const sendNext = () => {
    const next = waiting.shift();
    if (next === undefined) {
      timer = null;
      return;
    }
    gateway.signalVoice(next);
    timer = setTimeout(sendNext, spacingMs);
  };
  return {
    send(signal) {
      waiting.push(signal);
      if (timer === null) sendNext();
    },
    drop(userId) {
      waiting = userId === undefined ? [] : waiting.filter((signal) => signal.to_user_id !== userId);
    },
  };
}
