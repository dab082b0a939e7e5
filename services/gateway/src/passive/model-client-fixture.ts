import { waitUntil } from "@parley/testing";
import { type GatewayFixture, openClient, type ReceivedFrame, type TestClient } from "../gateway-fixture.js";

/** A step in a client's history: a frame, or the loss or the beginning of its connection. */
export type Seen =
  | { kind: "frame"; frame: ReceivedFrame }
  | { kind: "lost" /** VIEW was sent and not answered. */; isViewOpen: boolean }
  | { kind: "begun"; view: readonly string[] };

/** A client's unread counts of a channel. */
export interface Counts {
  unread: number;
  mentions: number;
}

/** A client that shows channels, is lost, and continues elsewhere: it keeps all that it sees, and counts as a page does. */
export class ViewingClient {
  readonly seen: Seen[] = [];
  readonly counts = new Map<string, Counts>();
  /** The channels that it asked for. */
  wanted: readonly string[] = [];
  #connection: { client: TestClient; taken: number } | null = null;
  #cursor = "";
  #viewsSent = 0;
  #viewsAnswered = 0;

  constructor(
    readonly userId: string,
    readonly roleIds: readonly string[] = [],
  ) {}

  get isConnected(): boolean {
    return this.#connection !== null;
  }

  async connect(node: GatewayFixture): Promise<void> {
    const token = node.accessTokens.issue({ userId: this.userId });
    const list = this.wanted.length === 0 ? "on" : this.wanted.join(",");
    const query = `v=2&presence=none&view=${list}&s=${encodeURIComponent(this.#cursor)}&token=${token}`;
    this.seen.push({ kind: "begun", view: this.wanted });
    const client = openClient(node, query);
    this.#connection = { client, taken: 0 };
    [this.#viewsSent, this.#viewsAnswered] = [0, 0];
    await waitUntil(() => client.frames.some(({ t }) => t === "READY" || t === "RESUMED"), { what: "the first frame" });
    this.take();
  }

  /** Sends the channels in view, and does not wait for the answer. */
  view(channelIds: readonly string[]): void {
    this.wanted = channelIds;
    this.#viewsSent += 1;
    this.#connection?.client.send({ op: "VIEW", d: { channel_ids: channelIds } });
  }

  async lose(): Promise<void> {
    const { client } = this.#connection ?? {};
    client?.socket.terminate();
    await client?.closed;
    this.#end();
  }

  /** Ends its connection as a user does who closes the application: its user counts as connected no longer. */
  async leave(): Promise<void> {
    await this.#connection?.client.close();
    this.#end();
  }

  #end(): void {
    this.take();
    this.seen.push({ kind: "lost", isViewOpen: this.#viewsAnswered < this.#viewsSent });
    this.#connection = null;
  }

  /** Resolves when a frame has arrived that fits. */
  async until(fits: (frame: ReceivedFrame) => boolean): Promise<void> {
    await waitUntil(() => this.#connection?.client.frames.some(fits) ?? true, { what: "a frame of the model" });
    this.take();
  }

  /** Takes the frames that have arrived. */
  take(): void {
    const connection = this.#connection;
    if (connection === null) return;
    for (const frame of connection.client.frames.slice(connection.taken)) this.#apply(frame);
    connection.taken = connection.client.frames.length;
  }

  #apply(frame: ReceivedFrame): void {
    const { t, d, s } = frame;
    this.seen.push({ kind: "frame", frame });
    this.#cursor = s ?? this.#cursor;
    if (t === "VIEW_ACK" && JSON.stringify(d.channel_ids) !== undefined)
      this.#viewsAnswered += isAnswer(d, this.wanted) ? 1 : 0;
    if (t === "READY") this.#begin(d);
    if (t === "CHANNEL_ACTIVITY" && Array.isArray(d.channels))
      for (const { channel_id, unread_count, mention_count } of d.channels)
        this.counts.set(channel_id, { unread: unread_count, mentions: mention_count });
    if (t === "READ_STATE_UPDATE")
      this.counts.set(String(d.channel_id), { unread: Number(d.unread_count), mentions: Number(d.mention_count) });
    if (t !== "MESSAGE_CREATE" || d.author_id === this.userId) return;
    const named = [d.mention_user_ids, d.mention_role_ids].flatMap((ids) => (Array.isArray(ids) ? ids : []));
    const isMention = d.mention_everyone === true || [this.userId, ...this.roleIds].some((id) => named.includes(id));
    const { unread, mentions } = this.countsOf(String(d.channel_id));
    this.counts.set(String(d.channel_id), { unread: unread + 1, mentions: mentions + (isMention ? 1 : 0) });
  }

  countsOf(channelId: string): Counts {
    return this.counts.get(channelId) ?? { unread: 0, mentions: 0 };
  }

  #begin({ unread_counts, mention_counts }: ReceivedFrame["d"]): void {
    this.counts.clear();
    if (Array.isArray(unread_counts))
      for (const { channel_id, unread_count } of unread_counts)
        this.counts.set(channel_id, { unread: unread_count, mentions: 0 });
    if (Array.isArray(mention_counts))
      for (const { channel_id, count } of mention_counts)
        this.counts.set(channel_id, { ...this.countsOf(channel_id), mentions: count });
  }
}

const isAnswer = ({ channel_ids }: ReceivedFrame["d"], wanted: readonly string[]) =>
  JSON.stringify(channel_ids) === JSON.stringify(wanted);
