import {
  type Channel,
  type ChannelsCreateBody,
  type InvitePreview,
  type ParleyClient,
  ParleyError,
  type ServersCreateBody,
} from "@parley/client";
import { nullIfGone } from "../platform/null-if-gone.js";
import type { RequestQueue } from "../platform/request-queue.js";
import type { AppState } from "../store/app-state.js";
import { type AppStore, withRead } from "../store/app-store.js";
import { channelSince, withChannels } from "./channel-events.js";
import { isServerOf } from "./known-invites.js";
import { membersSince, withVoice } from "./user-events.js";

/** Reads, creates and joins servers. */
export interface Servers {
  /** Reads the data of a server that READY does not have, once after each. To be called whenever a server is opened. */
  open(serverId: string): Promise<void>;
  /**
   * Reads the channels only, once after each READY, so that unread messages can be counted for a server that was not
   * opened yet.
   */
  readChannels(serverId: string): Promise<void>;
  /**
   * Reads the channels again after other rights may have revealed some, and the voice states of voice channels that the
   * page did not have before.
   */
  readRevealed(serverId: string): Promise<void>;
  /**
   * The same for the server of a channel that the page does not have; nothing when the user may not view the channel.
   */
  readServerOf(channelId: string): Promise<void>;
  /** Reads the user's membership of a server that was not opened, so that their rights there are known. */
  readMe(serverId: string): Promise<void>;
  /** Reads the voice states in a voice channel. */
  readVoice(channelId: string): Promise<void>;
  /** Reads the broadcast of a voice channel, if it has one. */
  readGoLive(channelId: string): Promise<void>;
  /** Makes a server and answers with its id, once the page has it. */
  create(body: ServersCreateBody): Promise<string>;
  /** Makes a channel that can be opened at once. */
  createChannel(serverId: string, body: ChannelsCreateBody): Promise<Channel>;
  /** Joins a public server; resolves once the page has it. */
  join(serverId: string): Promise<void>;
  /** Joins by an invite and answers with the server's id, also when the user is a member already. */
  acceptInvite(invite: InvitePreview): Promise<string | null>;
  /** Deletes a server of the user. */
  delete(serverId: string): Promise<void>;
}

/** Makes {@link Servers}. */
export function createServers(client: ParleyClient, store: AppStore, queue: RequestQueue): Servers {
  /** How many READYs there were when the channels of a server were read, and when all of it was; later there are events. */
  const listed = new Map<string, number>();
  const opened = new Map<string, number>();
  const isSinceReady = (times: ReadonlyMap<string, number>, serverId: string) =>
    times.get(serverId) === store.getState().readyCount;

  const listChannels = (serverId: string, options = { afresh: false }) =>
    queue(
      `channels ${serverId}`,
      async () => {
        await store.read(
          () => client.channels.list(serverId),
          (state, list, since) => {
            const read = withChannels(state, serverId, list);
            const { channels, channelIds } = since(read);
            return { ...read, channels, channelIds };
          },
        );
        listed.set(serverId, store.getState().readyCount);
      },
      options,
    );
  const readChannels = async (serverId: string) => {
    // The channels are gone when the user has left and joined again.
    const isKnown = store.getState().channelIds[serverId] !== undefined;
    if (!isKnown || !isSinceReady(listed, serverId)) await listChannels(serverId);
  };
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
    await listChannels(serverId, { afresh: true });
    const revealed = Object.values(store.getState().channels).filter(
      ({ id, server_id, type }) => server_id === serverId && type === "voice" && before[id] === undefined,
    );
    await Promise.all(revealed.map(({ id }) => readVoice(id)));
  };
  const joined = (serverId: string) => until(store, ({ servers }) => servers.some(({ id }) => id === serverId));

  return {
    readChannels,
    readRevealed,
    async readServerOf(channelId) {
      const { server_id } = await client.channels.get(channelId);
      await readRevealed(server_id);
    },
    readMe,
    readVoice,
    readGoLive,
    async open(serverId) {
      if (isSinceReady(opened, serverId) && store.getState().emojis[serverId] !== undefined) return;
      await Promise.all([readChannels(serverId), readMe(serverId), readEmojis(serverId)]);
      await readAllVoice(serverId);
      opened.set(serverId, store.getState().readyCount);
    },
    async create(body) {
      const { id } = await client.servers.create({ hierarchy: true, ...body });
      await joined(id);
      return id;
    },
    async createChannel(serverId, body) {
      return store.change(() => client.channels.create(serverId, body), channelSince);
    },
    async join(serverId) {
      await client.servers.join(serverId);
      await joined(serverId);
    },
    async acceptInvite(invite) {
      try {
        const { server_id } = await client.invites.accept(invite.code);
        await joined(server_id);
        return server_id;
      } catch (error) {
        if (!(error instanceof ParleyError && error.status === 409)) throw error;
        // The user is a member, of a server that the page has from READY on.
        await until(store, ({ me }) => me !== null);
        const alike = store.getState().servers.filter(isServerOf(invite));
        return alike.length > 1 ? await serverWith(client, invite.code, alike) : (alike[0]?.id ?? null);
      }
    },
    async delete(serverId) {
      store.setState({ deleting: serverId });
      await client.servers.delete(serverId);
    },
  };
}

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

/** Resolves once the state meets the condition. */
function until(store: AppStore, isSo: (state: AppState) => boolean): Promise<void> {
  return new Promise((resolve) => {
    if (isSo(store.getState())) return resolve();
    const stop = store.subscribe((state) => {
      if (!isSo(state)) return;
      stop();
      resolve();
    });
  });
}
