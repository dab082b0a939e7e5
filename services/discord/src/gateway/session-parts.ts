import type { Logger } from "pino";
import type { Bot } from "../rest/token.js";
import type { ClientSocket } from "./client-socket.js";
import type { Guilds } from "./guilds.js";
import type { OwnPresence } from "./presence.js";
import type { Reader } from "./reader.js";
import type { ContinuedSession, SessionStore } from "./session-store.js";
import type { Translate } from "./translate.js";
import type { GatewayAddresses } from "./upstream.js";

/** Objects that all sessions share. */
export interface SessionSurroundings {
  readonly addresses: GatewayAddresses;
  readonly store: SessionStore;
  readonly translate: Translate;
  readonly guilds: Guilds;
  readonly logger: Logger;
  /** Sets the presence of a bot over the api: gateways take none of bots (docs/protocol/apps.md#12). */
  readonly setPresence: (identity: Identity, presence: OwnPresence) => Promise<unknown>;
  /** Counts dispatches that are sent, by the name of the event. */
  readonly count: (event: string) => void;
  readonly countRows: (from: "memory" | "database", rows: number) => void;
}

/**
 * Why a session has no connection any more: its token is not valid, it cannot be continued (the client identifies itself
 * anew), or something failed, and the client may continue it.
 */
export type SessionEnd = "revoked" | "invalid" | "failed";

/** The parts of its connection that a session needs. */
export interface SessionClient {
  readonly socket: Pick<ClientSocket, "send" | "drained">;
  onEnd(why: SessionEnd): void;
}

/** The data that a client identified itself with. */
export interface Identity extends Omit<Reader, "sight" | "remembered"> {
  readonly bot: Bot;
  /** X-Forwarded-For of calls that the client causes. */
  readonly forwardedFor: string;
  /** The events of our gateway that it gets; all for a session of the version before. */
  readonly events: readonly string[];
}

/** What a process knows of a session when it gets its connection. */
export interface Beginning {
  readonly id: string;
  readonly owner: string;
  readonly sequence: number;
  readonly continued: ContinuedSession | null;
  readonly presence: OwnPresence | null;
  /** Of Discord's gateway, for READY; a session that is continued had it. */
  readonly version?: number;
}
