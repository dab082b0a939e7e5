import { type ClientEventName, type EventPayload, forbidden, type OutgoingEvent } from "@parley/contracts";
import type { Session } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";
import type { Emit, OrderedWith } from "@parley/outbox";
import type { z } from "zod";
import type { ReceivedFile } from "../../platform/files/receive.js";
import type { AttachmentFolder } from "../../platform/files/storage/keys.js";
import type { identifier } from "../../platform/http/input.js";

/** Channels of servers; and direct messages, those in groups included. */
export type KindName = "channel" | "direct";
/** Tables and statements of a kind begin with it. */
export type TablePrefix = "" | "dm_";

/** Makes the same for both kinds, such as a statement about their tables. */
export const forBoth = <T>(make: (prefix: TablePrefix, kind: KindName) => T): Readonly<Record<KindName, T>> => ({
  channel: make("", "channel"),
  direct: make("dm_", "direct"),
});

/** The name, in channels of servers, of an event that both kinds have with the same payload. */
export type SharedEvent = {
  [N in ClientEventName]: `DM_${N}` extends ClientEventName
    ? EventPayload<N> extends EventPayload<`DM_${N}`>
      ? N
      : never
    : never;
}[ClientEventName];

/** The event of a kind by the name that it has in channels of servers. */
export const eventOf = ({ name: kind }: Pick<Kind, "name">, name: SharedEvent): SharedEvent | `DM_${SharedEvent}` =>
  kind === "direct" ? `DM_${name}` : name;

/** What a message of either kind has. */
export interface AnyMessageRow {
  id: string;
  channel_id: string;
  author_id: string | null;
  content: string;
}

/** A message that a user may read, and what decides about more. */
export interface Found {
  row: AnyMessageRow;
}

/** Identifiers in a path, by the names that the path has for them. */
export type PathIds = Readonly<Record<string, string | undefined>>;
export type PathParams = z.ZodObject<Record<string, typeof identifier | z.ZodOptional<typeof identifier>>>;

/** What a change of a message runs in. */
export interface MessageChange<F extends Found> {
  transaction: Transaction;
  emit: Emit;
  /** The message before. */
  found: F;
  /** Announces the change to everybody who may read the message. */
  announce<N extends SharedEvent>(name: N, payload: EventPayload<N>): void;
}

/** How a path leads to a message. */
export interface MessagePath<F extends Found> {
  /** With parameters for {@link params}. */
  path: string;
  /** A longer form of the path. */
  aliases?: readonly string[];
  params: PathParams;
  /** Texts of the 404s of `find`. */
  missing: readonly string[];
  /** @throws ServiceError for a message that the user may not read */
  find(connection: Queryable, userId: string, ids: PathIds): Promise<F>;
}

/** How a path leads to a channel. */
interface ChannelPath {
  path: string;
  params: PathParams;
  /** Text of the 404. */
  missing: string;
  /**
   * @returns its id, and its server, if it has one
   * @throws ServiceError for a channel that the user may not read
   */
  find(connection: Queryable, userId: string, ids: PathIds): Promise<{ channelId: string; serverId?: string }>;
}

/**
 * A kind of conversation: what differs between the messages of channels of servers and direct messages. The rest, which is
 * the same for both, takes the kind.
 */
export interface Kind<F extends Found = Found> {
  readonly name: KindName;
  readonly channel: ChannelPath;
  readonly paths: Readonly<Record<"messages" | "attachments" | "reactions", MessagePath<F>>>;
  /** Texts of the 403s of those who may not read. */
  readonly hidden: readonly string[];
  /** What the events about a message are ordered with. */
  orderOf(row: F["row"]): OrderedWith;
  /** An event for everybody who may read the message. */
  eventsOf<N extends SharedEvent>(found: F, name: N, payload: EventPayload<N>): OutgoingEvent[];
  /**
   * For what reaches others as a message does.
   *
   * @throws ServiceError 403
   */
  requireMayWrite(connection: Pick<Session, "query">, userId: string, found: F): Promise<void>;
  /**
   * Reads under the lock of the channel what the events about a message are made of.
   *
   * @throws ServiceError for a user who may not read the message any more, unless the statement that changes it asks for that
   */
  recheck(session: Pick<Session, "query">, userId: string, found: F): Promise<F>;
  readonly deleting: {
    causes: readonly ClientEventName[];
    /** Texts of the 403s of `requireMay`. */
    forbidden: readonly string[];
    requireMay(found: F, userId: string): void;
    /**
     * Deletes a message and announces it.
     *
     * @returns the keys of its files, which are deleted afterwards
     */
    remove(change: MessageChange<F>): Promise<readonly string[]>;
  };
  readonly reacting: {
    /** Texts of the 403s of `requireMay` and {@link requireMayWrite}. */
    forbidden: readonly string[];
    requireMay(found: F): void;
    /** Which custom emoji a user may react with: those of a server, or of all servers that they are in. */
    emojis(userId: string, found: F): { server: string } | { member: string };
  };
  readonly attaching: {
    folder: AttachmentFolder;
    /** Texts of the 403s of `requireMay`, {@link requireMayWrite} and `judge`. */
    forbidden: readonly string[];
    /** What the author needs before files are taken in. */
    requireMay(found: F): void;
    /**
     * Judges files before they are attached, of `total` that the message has then.
     *
     * @returns what is to be called when they are stored
     * @throws ServiceError 403
     */
    judge?(
      userId: string,
      row: F["row"],
      files: readonly ReceivedFile[],
      total: number,
    ): Promise<() => Promise<unknown>>;
  };
}

/** @throws ServiceError 403 with the text for the message of another */
export function requireAuthor({ row }: Found, userId: string, text: string): void {
  if (row.author_id !== userId) throw forbidden(text);
}
