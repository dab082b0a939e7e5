import type { Speaking } from "./levels.js";
import type { Tracks } from "./tracks.js";

/** What is known of a call. */
export interface CallState {
  channelId: string;
  /** The user whose call it is. */
  ownId: string;
  /** What this page sends. */
  local: Tracks;
  /** What the others send, by user. */
  remote: Readonly<Record<string, Tracks>>;
  /** Who speaks, oneself included. */
  speaking: Speaking;
  isMuted: boolean;
  isDeafened: boolean;
  /** With push to talk: whether the key or the button is held. */
  isTalking: boolean;
  /** Why a device is not there, and what to do. Without a microphone the call sends no sound. */
  deviceError: string | null;
}
