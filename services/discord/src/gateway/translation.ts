import type { Bot } from "../rest/token.js";
import type { Found, Needs } from "./needs.js";
import type { Shard } from "./shard.js";

/** A DISPATCH of Discord's gateway, without its number. */
export interface Dispatch {
  readonly t: string;
  readonly d: unknown;
}

/** For whom events are translated. */
export interface Reader {
  readonly bot: Pick<Bot, "userId">;
  readonly intents: number;
  readonly shard: Shard;
  /** Address of the installation for the reader, without a slash at its end. */
  readonly origin: string;
}

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
  /** Names of the dispatches. */
  readonly becomes: readonly string[];
  readonly needs?: (event: E, needs: Needs) => void;
  readonly make: (event: E, found: Found, reader: Reader) => readonly Dispatch[];
}
