import type { ReceivedEvent } from "@parley/messaging";
import type { Connection } from "../connection/connection.js";
import type { UserEntry } from "./user-entry.js";

/** The omitted events of a passive server, and the CHANNEL_ACTIVITY that sums them up (docs/protocol/passive-servers.md#27). */
export interface Activity {
  /** Number of channels whose unread messages are counted. */
  readonly channelsCounted: number;
  /** A connection that shows channels is among those of the server's users. */
  begin(connection: Connection): void;
  /**
   * To be called for every event of the server.
   *
   * @param got null when every recipient got it, else the users who got it although they need not show the channel
   */
  apply(event: ReceivedEvent, got: Iterable<UserEntry> | null): void;
  /** A user has read a channel up to a time, in milliseconds since 1970. */
  markRead(userId: string, channelId: string, at: number): void;
  /** A user has no connection here any more, or left the server. */
  forget(userId: string): void;
  /** A connection shows a channel no longer; it knows the effect of its events so far. */
  hidden(connection: Connection, channelId: string): void;
  /** Loads the counts for {@link sendOf}. Rejects when that fails. */
  prepareOf(connection: Connection, channelIds: readonly string[]): Promise<void>;
  /** Sends the CHANNEL_ACTIVITY of channels if it is due. The user may view them. */
  sendOf(connection: Connection, channelIds: readonly string[]): void;
  /**
   * A connection continues: it gets the sums of the channels with events omitted from its replay, and of earlier
   * omissions that its last connection may not have received. Rejects when it cannot read them.
   * @param channelIds channels with events omitted from the replay
   * @param since when it got its last frame, in seconds since 1970
   */
  resume(connection: Connection, channelIds: Iterable<string>, since: number): Promise<void>;
  /** Sends every due sum at once, as the server is passive no longer. Only the server's queue calls it. */
  sendDue(): Promise<void>;
  close(): void;
}
