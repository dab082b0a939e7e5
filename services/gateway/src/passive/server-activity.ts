import { setTimeout as pause, setImmediate as turn } from "node:timers/promises";
import { type ChannelActivity, dispatchFrame } from "@parley/contracts";
import type { ReceivedEvent } from "@parley/messaging";
import type { Logger } from "@parley/service-runtime";
import type { Connection } from "../connection/connection.js";
import { encodeTextFrame } from "../connection/frames.js";
import type { Activity } from "../hub/activity.js";
import type { Hub } from "../hub/hub.js";
import type { ServerEntry } from "../hub/server-entry.js";
import type { UserEntry } from "../hub/user-entry.js";
import { activityIntervalMs, activitySpreadMs, activityUsersMax, resumedActivityPauseMs } from "../limits.js";
import type { GatewayMetrics } from "../metrics.js";
import { LeftOut } from "./left-out.js";
import type { TallyLoader } from "./load-tallies.js";
import { ServerTallies } from "./server-tallies.js";

/**
 * The omitted events of one passive server, and the CHANNEL_ACTIVITY that sums them up (docs/protocol/passive-servers.md#27): at most
 * every {@link activityIntervalMs} for all connections that show channels, before VIEW_ACK for a connection that names
 * a channel, and after RESUMED for one that continues.
 */
export class ServerActivity implements Activity {
  readonly #tallies: ServerTallies;
  #leftOut = new LeftOut<Connection>();
  /** The sums that are being sent; null at other times. */
  #sending: LeftOut<Connection> | null = null;
  #timer: NodeJS.Timeout | null = null;
  /** When the last sending to all connections began, by `performance.now()`. */
  #sentAt = Number.NEGATIVE_INFINITY;
  /** Channels whose sums connections that continue are to get. */
  #resumed = new Map<Connection, Set<string>>();
  #resumedTimer: NodeJS.Timeout | null = null;
  /** When each channel's unread messages last changed, in milliseconds since 1970. */
  readonly #changedAt = new Map<string, number>();
  readonly #recentChannels = new Map<number, Promise<string[]>>();
  #isClosed = false;

  constructor(
    private readonly server: ServerEntry,
    private readonly options: {
      hub: Pick<Hub, "load" | "user">;
      loader: TallyLoader;
      metrics: GatewayMetrics;
      logger: Logger;
    },
  ) {
    this.#tallies = new ServerTallies(server.id, options.loader);
  }

  get channelsCounted(): number {
    return this.#tallies.size;
  }

  begin(connection: Connection): void {
    this.#leftOut.begin(connection);
    this.#sending?.begin(connection);
  }

  apply(event: ReceivedEvent, got: Iterable<UserEntry> | null): void {
    const { scope } = event.address;
    const channelId = scope.kind === "server" ? scope.channelId : null;
    if (channelId === null || !this.#tallies.apply(event)) return;
    this.#changedAt.delete(channelId);
    this.#changedAt.set(channelId, Date.now());
    if (got === null) return;
    const except = [...got].flatMap(({ connections }) => connections.filter(({ shown }) => shown !== null));
    this.#leftOut.add(channelId, except);
    if (this.#sending === null) this.#schedule();
  }

  markRead(userId: string, channelId: string, at: number): void {
    this.#tallies.markRead(userId, channelId, at);
  }

  forget(userId: string): void {
    this.#tallies.forget(userId);
  }

  hidden(connection: Connection, channelId: string): void {
    this.#leftOut.know(connection, channelId);
    this.#sending?.know(connection, channelId);
  }

  async prepareOf(connection: Connection, channelIds: readonly string[]): Promise<void> {
    const due = channelIds.filter((id) => this.#isMissing(connection, id));
    if (due.length > 0) await this.#tallies.prepare(due, [connection.userId]);
  }

  sendOf(connection: Connection, channelIds: readonly string[]): void {
    const due = channelIds.filter((id) => this.#isMissing(connection, id));
    this.#send(connection, due, new ActivityFrames(this.server.id));
    for (const id of due) this.hidden(connection, id);
  }

  async resume(connection: Connection, channelIds: Iterable<string>, since: number): Promise<void> {
    const from = since - (activityIntervalMs + clockMarginMs) / 1_000;
    const changed = [...this.#changedAt].filter(([, at]) => at >= from * 1_000).map(([id]) => id);
    const recent = await this.#recentOf(Math.floor(from));
    if (this.#isClosed) return;
    this.#resumed.set(connection, new Set([...channelIds, ...changed, ...recent]));
    this.#resumedTimer ??= setTimeout(() => this.#sendResumed(), resumedActivityPauseMs).unref();
  }

  async sendDue(): Promise<void> {
    const named = [...new Set([...this.#leftOut.channelIds, ...(this.#sending?.channelIds ?? [])])];
    if (named.length > 0) await this.#prepareSums(named);
    const frames = new ActivityFrames(this.server.id);
    for (const { connections } of this.server.showing)
      for (const connection of connections) {
        const { shown } = connection;
        if (shown === null) continue;
        const due = named.filter((id) => !shown.has(id) && this.#isMissing(connection, id));
        this.#send(connection, due, frames);
        for (const id of due) this.hidden(connection, id);
      }
  }

  close(): void {
    this.#isClosed = true;
    for (const timer of [this.#timer, this.#resumedTimer]) if (timer !== null) clearTimeout(timer);
  }

  #isMissing(connection: Connection, channelId: string): boolean {
    return this.#leftOut.isMissing(connection, channelId) || this.#sending?.isMissing(connection, channelId) === true;
  }

  #schedule(): void {
    if (this.#timer !== null || this.#leftOut.isEmpty || this.#isClosed) return;
    const waitMs = Math.max(activityIntervalMs - this.#spreadMs, this.#sentAt + activityIntervalMs - performance.now());
    this.#timer = setTimeout(() => this.#sendAll(), waitMs).unref();
  }

  /** Duration of a sending to all connections, because all gateways begin at about the same time. */
  get #spreadMs(): number {
    return this.server.showing.size > activityUsersMax ? activitySpreadMs : 0;
  }

  /** Sends the sums of the omitted events so far to all connections. */
  async #sendAll(): Promise<void> {
    const sending = this.#leftOut;
    this.#leftOut = new LeftOut();
    this.#sending = sending;
    this.#sentAt = performance.now();
    const { channelIds } = sending;
    try {
      await this.#prepareSums(channelIds);
      await this.#eachConnection(channelIds, this.server.showing, this.#spreadMs, (connection) => {
        const due = channelIds.filter((id) => !connection.shown?.has(id) && sending.isMissing(connection, id));
        sending.markSent(connection);
        return due;
      });
    } catch (err) {
      this.options.logger.warn({ err, server_id: this.server.id }, "what was left out cannot be summed up yet");
      sending.absorb(this.#leftOut);
      this.#leftOut = sending;
    }
    this.#sending = null;
    this.#timer = null;
    this.#schedule();
  }

  async #sendResumed(): Promise<void> {
    const resumed = this.#resumed;
    this.#resumed = new Map();
    this.#resumedTimer = null;
    const channelIds = setsOf(resumed);
    try {
      await this.#prepareSums(channelIds);
      const users = [...new Set([...resumed.keys()].map(({ userId }) => this.options.hub.user(userId)))];
      await this.#eachConnection(
        channelIds,
        users.filter((user) => user !== undefined),
        0,
        (connection) => [...(resumed.get(connection) ?? [])],
      );
    } catch (err) {
      this.options.logger.warn({ err, server_id: this.server.id }, "what was left out cannot be summed up yet");
      for (const [connection, channels] of resumed)
        if (connection.state !== "closed" && !this.#resumed.has(connection)) this.#resumed.set(connection, channels);
      if (!this.#isClosed && this.#resumed.size > 0)
        this.#resumedTimer ??= setTimeout(() => this.#sendResumed(), activityIntervalMs).unref();
    }
  }

  #prepareSums(channelIds: readonly string[]): Promise<void> {
    return this.#tallies.prepare(channelIds, this.#userIds());
  }

  /**
   * Sends the due sums to connections that show channels: a part of the users at a time, each as a task of the server's
   * queue, so that the rights are those between two events, and the events do not wait for all.
   */
  async #eachConnection(
    channelIds: readonly string[],
    users: Iterable<UserEntry>,
    spreadMs: number,
    dueOf: (connection: Connection) => readonly string[],
  ): Promise<void> {
    const { server } = this;
    const frames = new ActivityFrames(server.id);
    const waiting = [...users];
    const pauseMs = (spreadMs * activityUsersMax) / Math.max(waiting.length, 1);
    while (waiting.length > 0 && !this.#isClosed) {
      const some = waiting.splice(-activityUsersMax);
      const send = () => {
        for (const user of some)
          for (const connection of user.connections) {
            if (connection.shown === null) continue;
            const viewable = dueOf(connection).filter((id) => server.isViewer(user, id));
            this.#send(connection, viewable, frames);
          }
      };
      await new Promise<void>((resolve) => {
        server.queue.add(() => {
          if (channelIds.every((id) => server.isLoaded(id))) {
            send();
            resolve();
            return;
          }
          return this.#loadRights(channelIds).then(send).then(resolve);
        });
      });
      await (pauseMs > 0 ? pause(pauseMs, undefined, { ref: false }) : turn());
    }
  }

  async #loadRights(channelIds: readonly string[]): Promise<void> {
    const { server } = this;
    for (const id of channelIds) if (!server.isLoaded(id)) await this.options.hub.load(server, id);
  }

  #send(connection: Connection, channelIds: readonly string[], frames: ActivityFrames): void {
    const channels = channelIds.flatMap((id) => {
      const counts = this.#tallies.counts(connection.userId, id);
      return counts === null
        ? []
        : [
            {
              channel_id: id,
              last_message_id: counts.lastMessageId,
              unread_count: counts.unread,
              mention_count: counts.mentions,
            },
          ];
    });
    if (channels.length === 0) return;
    connection.sendLater(frames.of(channels), performance.now());
    this.options.metrics.activitiesSent += 1;
  }

  #userIds(): string[] {
    return [...this.server.showing].map(({ id }) => id);
  }

  /** Shared by the connections that continue at about the same time. */
  #recentOf(since: number): Promise<string[]> {
    const known = this.#recentChannels.get(since);
    if (known !== undefined) return known;
    const reading = this.options.loader.recentChannels(this.server.id, since);
    this.#recentChannels.set(since, reading);
    const forget = () => setTimeout(() => this.#recentChannels.delete(since), resumedActivityPauseMs).unref();
    reading.then(forget, forget);
    return reading;
  }
}

/** Clocks of processes and of the database may differ by as much. */
const clockMarginMs = 10_000;

const setsOf = (channels: ReadonlyMap<unknown, ReadonlySet<string>>): string[] => [
  ...new Set([...channels.values()].flatMap((ids) => [...ids])),
];

/** Makes each frame once for all connections that get the same numbers. */
class ActivityFrames {
  readonly #frames = new Map<string, Buffer>();

  constructor(private readonly serverId: string) {}

  of(channels: ChannelActivity["channels"]): Buffer {
    const activity: ChannelActivity = { server_id: this.serverId, channels };
    const text = JSON.stringify(activity);
    const frame = this.#frames.get(text) ?? encodeTextFrame(Buffer.from(dispatchFrame("CHANNEL_ACTIVITY", text)));
    this.#frames.set(text, frame);
    return frame;
  }
}
