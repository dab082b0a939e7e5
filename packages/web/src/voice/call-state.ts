import type { Speaking } from "./levels.js";
import type { Tracks } from "./tracks.js";

/** The state of a call. */
export interface CallState {
  channelId: string;
  /** The user whose call it is. */
  ownId: string;
  /** The tracks of this page. */
  local: Tracks;
  /** The tracks of the others, by user. */
  remote: Readonly<Record<string, Tracks>>;
  /** The users who speak, oneself included. */
  speaking: Speaking;
  isMuted: boolean;
  isDeafened: boolean;
  /** With push to talk: whether the user presses the key or the button. */
  isTalking: boolean;
  /** Why a device is not there, with the remedy. Without a microphone the call sends no sound. */
  deviceError: string | null;
}
