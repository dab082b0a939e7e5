import type { ClientEventName, EventPayload, OutgoingEvent } from "@parley/contracts";
import type { Session } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";
import type { OrderedWith } from "@parley/outbox";
import type { z } from "zod";
import type { CallerRight, Change } from "../../access/asked.js";
import type { Need } from "../../access/needs.js";
import type { ReceivedFile } from "../../platform/files/receive.js";
import type { AttachmentFolder } from "../../platform/files/storage/keys.js";
import type { identifier } from "../../platform/http/input.js";
import type { May } from "../../platform/http/may.js";

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

/** The columns of messages of both kinds. */
export interface AnyMessageRow {
  id: string;
  channel_id: string;
  author_id: string | null;
  content: string;
}

/** A message that a user may read, with the data that decides about further rights. */
export interface MessageAccess {
  userId: string;
  found: AnyMessageRow;
}

/** A channel that a user may read. */
export interface ReadChannel {
  userId: string;
  channel: { id: string };
  serverId?: string;
}

/** Identifiers in a path, by the names that the path has for them. */
export type PathIds = Readonly<Record<string, string | undefined>>;
export type PathParams = z.ZodObject<Record<string, typeof identifier | z.ZodOptional<typeof identifier>>>;

/** The input of a change of a message. */
export interface MessageChange<F extends MessageAccess> extends Change<F> {
  /** Announces the change to every reader of the message. */
  announce<N extends SharedEvent>(name: N, payload: EventPayload<N>): void;
}

/** How a path leads to a message. */
export interface MessagePath<F extends MessageAccess> {
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
  /** The right to read the channel. */
  may: May<PathIds, Pick<CallerRight<ReadChannel>, "access">>;
}

/**
 * A kind of conversation: the differences between the messages of channels of servers and direct messages. The rest,
 * which is the same for both, takes the kind.
 */
export interface Kind<F extends MessageAccess = MessageAccess> {
  readonly name: KindName;
  /** Where its rights are rights, in words. */
  readonly place: string;
  readonly channel: ChannelPath;
  readonly paths: Readonly<Record<"messages" | "attachments" | "reactions", MessagePath<F>>>;
  /** Conditions of reading beyond being in the place; `find` of a path asks for them. */
  readonly reading: readonly Need<F>[];
  /** Conditions of actions that reach others as a message does. */
  readonly writing: {
    /** Texts of the 403s. */
    refusals: readonly string[];
    /** @throws ServiceError 403 */
    require(connection: Pick<Session, "query">, found: F): Promise<void>;
  };
  /** The order of the events about a message. */
  orderOf(row: F["found"]): OrderedWith;
  /** An event for every reader of the message. */
  eventsOf<N extends SharedEvent>(found: F, name: N, payload: EventPayload<N>): OutgoingEvent[];
  /**
   * Reads the content of the events about a message again, under the lock of the channel.
   *
   * @throws ServiceError for a user who may not read the message any more, unless the statement that changes it checks
   * that itself
   */
  recheck(session: Pick<Session, "query">, found: F): Promise<F>;
  readonly deleting: {
    causes: readonly ClientEventName[];
    need: Need<F>;
    /**
     * Deletes a message and announces it.
     *
     * @returns the keys of its files, which are deleted afterwards
     */
    remove(change: MessageChange<F>): Promise<readonly string[]>;
  };
  readonly reacting: {
    needs: readonly Need<F>[];
    /** Which custom emoji a user may react with: those of a server, or of all servers that they are in. */
    emojis(found: F): { server: string } | { member: string };
  };
  readonly attaching: {
    folder: AttachmentFolder;
    /** Conditions that the author must meet before the api reads their files. */
    needs: readonly Need<F>[];
    /** Texts of the 403s of `judge`. */
    refusals: readonly string[];
    /**
     * Judges files before they are attached, of `total` that the message has then.
     *
     * @returns a function to call when they are stored
     * @throws ServiceError 403
     */
    judge?(found: F, files: readonly ReceivedFile[], total: number): Promise<() => Promise<unknown>>;
  };
}
