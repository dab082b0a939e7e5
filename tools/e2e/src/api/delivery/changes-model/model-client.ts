import { setTimeout as pause } from "node:timers/promises";
import { Ready, Server } from "@parley/contracts";
import { connectGateway, type GatewayClient, type RestClient } from "@parley/testing";
import { z } from "zod";
import { applyEvent } from "./apply-event.js";
import { filter, type Lists, put } from "./lists.js";
import { readChannels, readContents, readEvents, readGuardedLists, readLists, readServer } from "./read-lists.js";

const Frame = z.object({ op: z.string(), t: z.string().nullable(), d: z.unknown(), s: z.string().optional() });
const OfServer = z.object({ server_id: z.string() });
const OfRights = z.union([OfServer, z.object({ channel_id: z.string() })]);

/** A user who connects, and their query. */
export interface ModelUser {
  readonly name: string;
  readonly client: RestClient;
  readonly userId: string;
  readonly accessToken: string;
  readonly hearsOfMembers: boolean;
}

/**
 * A client with `v=2`: it reads its lists after READY, applies events, and continues by `s` after each cut. It reads
 * again only the lists for which docs/protocol/events.md#23.1 allows that.
 */
export class ModelClient {
  lists: Lists | null = null;
  resumed = 0;
  readies = 0;
  isConnected = false;
  /** Away until it comes back. */
  isAway = false;
  readonly user: ModelUser;
  readonly #urlOf: () => string;
  /** Ids of invites that mark a place in the stream of a server. */
  readonly #marks = new Set<string>();
  /** Servers that were joined, and servers in which rights changed. */
  readonly #joined = new Set<string>();
  readonly #changed = new Set<string>();
  /** Channels that were perhaps hidden from the user for a while since everything was read. */
  readonly #perhapsHidden = new Set<string>();
  /** The events since the last comparison. */
  readonly recent: string[] = [];
  #ready: Ready | null = null;
  #cursor = "";
  #socket: GatewayClient | null = null;
  #isStopped = false;
  #running: Promise<void> = Promise.resolve();

  constructor(user: ModelUser, urlOf: () => string) {
    this.user = user;
    this.#urlOf = urlOf;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Cuts the connection without a closing handshake. */
  cut(): void {
    this.#socket?.terminate();
  }

  /** Cuts the connection and stays away. */
  leave(): void {
    this.isAway = true;
    this.cut();
  }

  comeBack(): void {
    this.isAway = false;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.cut();
    await this.#running;
  }

  serverIds(): string[] {
    const ofReady = this.#ready?.servers.map(({ id }) => id);
    return ofReady ?? Object.keys(this.lists?.servers ?? {});
  }

  /** Whether everything of a server that is before a mark has come. */
  has(mark: string): boolean {
    return this.#marks.has(mark);
  }

  /** Reads the stale lists after READY, a join, and a change of rights, while nothing else happens. */
  async readWhatIsStale(): Promise<void> {
    const { client, hearsOfMembers } = this.user;
    if (this.#ready !== null) this.lists = { ...(await readLists(client, this.#ready, hearsOfMembers)), unread: {} };
    else for (const id of this.#joined) await this.#readJoined(id);
    for (const id of this.#changed) await this.#readVisible(id);
    this.#ready = null;
    this.#joined.clear();
    this.#changed.clear();
    this.#perhapsHidden.clear();
  }

  async #readJoined(id: string): Promise<void> {
    const { client, hearsOfMembers } = this.user;
    if (this.lists?.servers[id] === undefined) return;
    const server = (await client.get(`/servers/${id}`)).expect(200, Server);
    const read = await readServer(client, server, hearsOfMembers);
    this.lists = { ...this.lists, servers: put(this.lists.servers, id, read) };
  }

  /** Reads the list of channels, and of channels and lists that are new to the user everything. */
  async #readVisible(id: string): Promise<void> {
    const { client } = this.user;
    const before = this.lists?.servers[id];
    if (before === undefined) return;
    const [channels, guarded] = [await readChannels(client, id), await readGuardedLists(client, id)];
    const isVisible = (_: unknown, key: string) => channels[key] !== undefined;
    // A channel that was hidden and shown again since the last read has lost the events between, as the client does not
    // read in the moment of the change.
    const isUnknown = (key: string) => before.contents[key] === undefined || this.#perhapsHidden.has(key);
    const unknown = Object.keys(channels).filter(isUnknown);
    const [contents, events] = [await readContents(client, unknown), await readEvents(client, id)];
    // A change of a picture is announced some time after it, and so perhaps meanwhile.
    const of = this.lists?.servers[id];
    if (this.lists === null || of === undefined) return;
    const read = {
      ...of,
      // The read returns the present channels; events have covered the ones that were visible before.
      channels: { ...channels, ...filter(of.channels, isVisible) },
      contents: { ...filter(of.contents, isVisible), ...contents },
      invites: of.invites ?? guarded.invites,
      bans: of.bans ?? guarded.bans,
      events: unknown.length > 0 ? events : filter(of.events, ({ channel_id }) => isVisible(null, channel_id)),
    };
    const unread = filter(this.lists.unread, (_, key) => !(key in of.channels) || isVisible(null, key));
    this.lists = { ...this.lists, servers: put(this.lists.servers, id, read), unread };
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      if (!this.isAway) {
        const { accessToken, hearsOfMembers } = this.user;
        const members = hearsOfMembers ? "&members=all" : "";
        const query = `token=${encodeURIComponent(accessToken)}&v=2${members}&s=${encodeURIComponent(this.#cursor)}`;
        const socket = connectGateway(this.#urlOf(), "", { query, onFrame: (frame) => this.#take(frame) });
        this.#socket = socket;
        await socket.closed;
        this.isConnected = false;
      }
      await pause(20);
    }
  }

  #take(text: string): void {
    const { t, d, s } = Frame.parse(JSON.parse(text));
    if (s !== undefined) this.#cursor = s;
    if (t === null) return;
    this.recent.push(text);
    if (t === "READY") {
      this.#ready = Ready.parse(d);
      this.readies += 1;
    } else if (t === "RESUMED") this.resumed += 1;
    else this.#takeEvent(t, d);
    if (t === "READY" || t === "RESUMED") this.isConnected = true;
  }

  #takeEvent(t: string, d: unknown): void {
    if (t === "INVITE_CREATE") this.#marks.add(z.object({ id: z.string() }).parse(d).id);
    if (this.lists === null) return;
    const before = this.lists;
    this.lists = applyEvent(before, t, d, this.user);
    if (t === "SERVER_JOIN") this.#joined.add(z.object({ server: z.object({ id: z.string() }) }).parse(d).server.id);
    if (/^(CHANNEL_OVERRIDE|ROLE)_/.test(t)) this.#noteRights(before, OfRights.parse(d));
    if (/^MEMBER_ROLE_/.test(t)) {
      const { user_id, server_id } = z.object({ user_id: z.string(), server_id: z.string() }).parse(d);
      if (user_id === this.user.userId) this.#noteChange(before, server_id);
    }
    if (t === "SERVER_UPDATE") this.#noteOwner(before, z.object({ id: z.string(), owner_id: z.string() }).parse(d));
  }

  #noteRights({ servers }: Lists, of: z.infer<typeof OfRights>): void {
    const serverIds = Object.keys(servers);
    if ("server_id" in of) this.#noteChange({ servers }, of.server_id);
    else {
      this.#perhapsHidden.add(of.channel_id);
      const known = serverIds.filter((id) => servers[id]?.channels[of.channel_id] !== undefined);
      // The override of a channel that is hidden from the user may show it: which server's it is they do not know.
      for (const id of known.length > 0 ? known : serverIds) this.#changed.add(id);
    }
  }

  /** The new owner of a server may do everything in it from then on. */
  #noteOwner({ servers }: Lists, { id, owner_id }: { id: string; owner_id: string }): void {
    const before = servers[id]?.server.owner_id;
    if (before !== owner_id && [before, owner_id].includes(this.user.userId)) this.#noteChange({ servers }, id);
  }

  /** Any channel of the server may be hidden from the user, or shown, by a change. */
  #noteChange({ servers }: Pick<Lists, "servers">, serverId: string): void {
    this.#changed.add(serverId);
    for (const id of Object.keys(servers[serverId]?.channels ?? {})) this.#perhapsHidden.add(id);
  }
}
