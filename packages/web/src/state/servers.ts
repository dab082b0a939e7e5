import {
  type InvitePreview,
  type ParleyClient,
  ParleyError,
  type Server,
  type ServersCreateBody,
  type ServersHandOverBody,
  type ServersUpdateBody,
} from "@parley/client";
import type { AppState } from "./app-state.js";
import { type AppStore, withRead } from "./app-store.js";
import { isServerOf } from "./known-invites.js";
import { nullIfGone } from "./null-if-gone.js";
import { forgetServers, loseServers } from "./ready.js";
import type { RequestQueue } from "./request-queue.js";
import { withChannels } from "./server-events.js";
import { membersSince, withVoice } from "./user-events.js";

/** Reads, creates and joins servers. */
export interface Servers {
  /** Reads the data of a server that has no events or is not in READY. To be called whenever a server is opened. */
  open(serverId: string): Promise<void>;
  /** Reads the channels only, so that unread messages can be counted for a server that was not opened yet. */
  readChannels(serverId: string): Promise<void>;
  /**
   * Reads the channels again after something that has changed them, and the voice states of voice channels that the page
   * did not have before.
   */
  readRevealed(serverId: string): Promise<void>;
  /**
   * The same for the server of a channel that the page does not have; nothing when the user may not view the channel.
   */
  readServerOf(channelId: string): Promise<void>;
  /** Reads the voice states in a voice channel. */
  readVoice(channelId: string): Promise<void>;
  /** Reads the broadcast of a voice channel, if it has one. */
  readGoLive(channelId: string): Promise<void>;
  /** Reads the servers of the user again, after one was changed, made, joined or left. */
  readList(): Promise<void>;
  /** Makes a server and answers with its id. */
  create(body: ServersCreateBody): Promise<string>;
  /** Joins a public server. */
  join(serverId: string): Promise<void>;
  /** Joins by an invite and answers with the server's id, also when the user is a member already. */
  acceptInvite(invite: InvitePreview): Promise<string | null>;
  update(serverId: string, body: ServersUpdateBody): Promise<void>;
  /** Makes another member the owner. */
  handOver(serverId: string, body: ServersHandOverBody): Promise<void>;
  leave(serverId: string): Promise<void>;
  /** Deletes a server of the user. */
  delete(serverId: string): Promise<void>;
}

/** Makes {@link Servers}. */
export function createServers(client: ParleyClient, store: AppStore, queue: RequestQueue): Servers {
  const readChannels = (serverId: string, options = { afresh: false }) =>
    queue(
      `channels ${serverId}`,
      () =>
        store.read(
          () => client.channels.list(serverId),
          (state, list, since) => {
            const listed = withChannels(state, serverId, list);
            const { channels, channelIds } = since(listed);
            return { ...listed, channels, channelIds };
          },
        ),
      options,
    );
  const readServer = (serverId: string) =>
    queue(`server ${serverId}`, () =>
      store.read(
        () => client.servers.get(serverId),
        (state, server) => withServer(state, server),
      ),
    );
  const readMe = (serverId: string) =>
    queue(`me ${serverId}`, async () => {
      const { me } = store.getState();
      if (me === null) return;
      await store.read(
        () => client.members.get(serverId, me.id),
        (state, member, since) => membersSince(state, serverId, [member], since),
      );
    });
  const readEmojis = (serverId: string) =>
    queue(`emojis ${serverId}`, () =>
      store.read(
        () => client.emojis.list(serverId),
        (state, list, since) => withRead(state, "emojis", serverId, list, since),
      ),
    );
  const readVoice = (channelId: string) =>
    queue(`voice ${channelId}`, () =>
      store.read(
        () => client.voice.list(channelId),
        (state, list, since) => ({ voice: since(withVoice(state, channelId, list)).voice }),
      ),
    );
  const readGoLive = (channelId: string) =>
    store.read(
      () => client.goLive.get(channelId).catch(nullIfGone),
      (state, session, since) => (session === null ? state : withRead(state, "goLive", channelId, session, since)),
    );
  const readAllVoice = (serverId: string) =>
    Promise.all(
      Object.values(store.getState().channels)
        .filter((channel) => channel.server_id === serverId && channel.type === "voice")
        .map(({ id }) => readVoice(id)),
    );
  const readRevealed = async (serverId: string) => {
    const before = store.getState().channels;
    await readChannels(serverId, { afresh: true });
    const revealed = Object.values(store.getState().channels).filter(
      ({ id, server_id, type }) => server_id === serverId && type === "voice" && before[id] === undefined,
    );
    await Promise.all(revealed.map(({ id }) => readVoice(id)));
  };
  const readList = async () => {
    await store.read(
      () => client.servers.list(),
      (state, listed, since) => {
        const kept = new Set(listed.map(({ id }) => id));
        const gone = state.servers.filter(({ id }) => !kept.has(id)).map(({ id }) => id);
        const left = forgetServers(state, gone);
        return { ...left, servers: since({ ...left, servers: listed }).servers };
      },
    );
    const { roles, servers } = store.getState();
    await Promise.all(
      servers
        .filter(({ id }) => roles[id] === undefined)
        .map(async ({ id }) => {
          await store.read(
            () => client.roles.list(id),
            (state, list, since) => withRead(state, "roles", id, list, since),
          );
          await readChannels(id);
        }),
    );
  };

  /** For what the user has just joined: a READY that is under way may be older, and would remove it. */
  const readJoined = async () => {
    await readList();
    if (store.getState().connection === "connected") return;
    await connected(store);
    await readList();
  };

  return {
    readChannels: (serverId) => readChannels(serverId),
    readRevealed,
    async readServerOf(channelId) {
      const { server_id } = await client.channels.get(channelId);
      await readRevealed(server_id);
    },
    readVoice,
    readGoLive,
    readList,
    async open(serverId) {
      try {
        await Promise.all([readServer(serverId), readChannels(serverId), readMe(serverId), readEmojis(serverId)]);
      } catch (error) {
        // A server that is deleted has no event.
        if (error instanceof ParleyError && error.status === 404)
          store.apply((state) => loseServers(state, [serverId]));
        throw error;
      }
      await readAllVoice(serverId);
    },
    async create(body) {
      const { id } = await client.servers.create(body);
      await readJoined();
      return id;
    },
    async join(serverId) {
      await client.servers.join(serverId);
      await readJoined();
    },
    async acceptInvite(invite) {
      try {
        const { server_id } = await client.invites.accept(invite.code);
        await readJoined();
        return server_id;
      } catch (error) {
        if (!(error instanceof ParleyError && error.status === 409)) throw error;
        // The user is a member, of a server that the page may not have read yet.
        await readJoined();
        const alike = store.getState().servers.filter(isServerOf(invite));
        return alike.length > 1 ? await serverWith(client, invite.code, alike) : (alike[0]?.id ?? null);
      }
    },
    async update(serverId, body) {
      const server = await client.servers.update(serverId, body);
      store.apply((state) => withServer(state, server));
    },
    async handOver(serverId, body) {
      const server = await client.servers.handOver(serverId, body);
      store.apply((state) => withServer(state, server));
    },
    async leave(serverId) {
      await client.servers.leave(serverId);
      store.apply((state) => forgetServers(state, [serverId]));
    },
    async delete(serverId) {
      await client.servers.delete(serverId);
      store.apply((state) => forgetServers(state, [serverId]));
    },
  };
}

const withServer = (state: AppState, server: Server): AppState => ({
  ...state,
  servers: state.servers.map((known) => (known.id === server.id ? server : known)),
});

/** Finds the server whose invites have the code; the first one when those that have it do not show their invites. */
async function serverWith(
  client: ParleyClient,
  code: string,
  servers: readonly { id: string }[],
): Promise<string | null> {
  for (const { id } of servers) {
    try {
      if ((await client.invites.list(id)).some((invite) => invite.code === code)) return id;
    } catch (error) {
      if (!(error instanceof ParleyError && error.status === 403)) throw error;
    }
  }
  return servers[0]?.id ?? null;
}

/** Resolves when the page has a connection. */
function connected(store: AppStore): Promise<void> {
  return new Promise((resolve) => {
    const stop = store.subscribe(({ connection }) => {
      if (connection !== "connected") return;
      stop();
      resolve();
    });
  });
}
