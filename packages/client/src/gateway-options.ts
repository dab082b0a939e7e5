import type { ParleyError } from "./error.js";
import type { SocketEnd, SocketTimes } from "./gateway-socket.js";
import type { DispatchEvents, PresenceStatus, Ready } from "./generated/index.js";
import type { Backoff } from "./pause.js";

/** Follows the events of a connection, each before its listeners and handlers get it; {@link createCache} makes one. */
export interface EventFollower {
  /** Events that it needs beside those of the option `events`. */
  readonly events: NonNullable<GatewayOptions["events"]>;
  /** Takes an event. */
  apply(event: GatewayEvent): void;
  /** The gateway is closed. */
  close(): void;
}

/** Events that the server sends whatever the option `events` names. */
export type Unfiltered = "READY" | "RESUMED" | "VIEW_ACK" | "CHANNEL_ACTIVITY";

/** The events of a connection; everything by default. */
export interface GatewayOptions {
  /**
   * 2 by default: with the events about servers, channels, members and the own account, so that data that was read
   * after READY stays right by applying events. 1: without them, as clients of former versions.
   */
  readonly v?: 1 | 2;
  /**
   * MEMBER_JOIN, MEMBER_UPDATE and MEMBER_LEAVE of all members, without it of the own user only; and, if `events` names them,
   * EVENT_INTEREST_ADD and _REMOVE, POLL_VOTE_ADD and _REMOVE, THREAD_START and AUDIT_LOG_ENTRY_CREATE. Not with `v: 1`.
   */
  readonly members?: "all";
  /** `subscribed`: PRESENCE_UPDATE of subscribed users only; `none`: no PRESENCE_UPDATE. */
  readonly presence?: "subscribed" | "none";
  /** Only these events; READY, RESUMED, VIEW_ACK and CHANNEL_ACTIVITY always come. */
  readonly events?: readonly Exclude<keyof DispatchEvents, Unfiltered>[];
  /**
   * Of large servers only events concerning the channels that {@link Gateway.view} names: for the others, messages that
   * mention or answer the user, and CHANNEL_ACTIVITY with the counts. Not with `v: 1`.
   */
  readonly view?: "on";
  /** Only the servers of this shard, `[index, count]`. */
  readonly shard?: readonly [index: number, count: number];
  /** False: events that happen while the connection is lost are not replayed. */
  readonly numbered?: boolean;
  /** Follows the events. It begins with READY, so not with `position` or a store, and not with `v: 1`. */
  readonly cache?: EventFollower;
  /** Where an earlier process stopped, its `position` of the gateway. */
  readonly position?: string;
  /** Waits between attempts to connect. */
  readonly backoff?: Backoff;
  /** Called with a line for each change of the connection, for a log. */
  readonly log?: (line: string) => void;
  /** Time limits in milliseconds: of the upgrade, between heartbeats, for the answer to one. */
  readonly times?: Partial<SocketTimes>;
}

/** How long {@link Gateway.connect} waits. */
export interface ConnectOptions {
  /** Ends the wait; the call rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** After so many milliseconds without a connection the call rejects; without it the wait has no end. */
  readonly timeoutMs?: number;
}

/** The second argument of a listener, beside the payload of an event. */
export interface EventContext {
  /** Position of the connection after this event; null for events that are never replayed. */
  readonly position: string | null;
}

/** Any event of the server. */
export type GatewayEvent = {
  [Name in keyof DispatchEvents]: EventContext & { readonly name: Name; readonly data: DispatchEvents[Name] };
}[keyof DispatchEvents];

/** The error that a listener threw, or rejected with. */
export interface ListenerError {
  /** The thrown value. */
  readonly error: unknown;
  /** The event whose listener it was. */
  readonly name: string;
}

/** The events of the server were interrupted: a program reads again the data that it keeps. */
export interface Resync {
  /** Why the server could not continue; `unnumbered` for a connection without `numbered`. */
  readonly reason: NonNullable<Ready["resync"]> | "unnumbered";
  /** The state now. */
  readonly ready: Ready;
}

/** The events of a {@link Gateway}: those of the server, and changes of the connection. */
export interface GatewayEvents extends DispatchEvents {
  /** Events were lost; emitted right after the READY that reports it. */
  resync: Resync;
  /** A connection ended; the next attempt follows by itself. */
  disconnect: SocketEnd;
  /** The end: by `close` of the gateway (null), or because there is no access any more. */
  close: ParleyError | null;
  /** A listener failed. Without a listener for it such an error is an uncaught one of the process or page. */
  error: ListenerError;
}

/** A status as a user sets it; absent keys stay, null clears. */
export interface StatusChange {
  /** `offline` is invisible. */
  readonly status: PresenceStatus;
  /** At most 128 characters. */
  readonly custom_status?: string | null;
  /** At most 128 characters. */
  readonly activity?: string | null;
}

/** A signal for a peer connection. */
export interface VoiceSignal {
  /** A user in the same voice channel. */
  readonly to_user_id: string;
  /** The kind of signal. */
  readonly type: "offer" | "answer" | "candidate";
  /** Description of the session. */
  readonly sdp?: string | null;
  /** ICE candidate. */
  readonly candidate?: string | null;
  /** Which stream it is about. */
  readonly stream_type?: string | null;
}
