import type { Dispatch } from "./dispatch.js";
import type { Found, Needs } from "./needs.js";
import type { Reader } from "./reader.js";

/** Where an event belongs; `serverId` is null but for a guild. */
export interface EventPlace {
  readonly kind: "guild" | "direct" | "user";
  readonly serverId: string | null;
}

export interface Event<Payload = unknown> {
  readonly name: string;
  readonly d: Payload;
  readonly place: EventPlace;
}

/** How an event of ours becomes dispatches. */
export interface Translation<E extends Event> {
  /**
   * Where it belongs: to the server that it is about (`server`) or names, to that of its channel, which may be one of direct
   * messages (`any channel`) or none (`voice`).
   */
  readonly of: "server" | "guild" | "channel" | "any channel" | "voice" | "direct" | "user";
  /** Whether a connection gets it whose shard lacks the server. */
  readonly inAnyShard?: true;
  /** Names of the dispatches. */
  readonly becomes: readonly string[];
  readonly needs?: (event: E, needs: Needs) => void;
  readonly make: (event: E, found: Found, reader: Reader) => readonly Dispatch[];
}
