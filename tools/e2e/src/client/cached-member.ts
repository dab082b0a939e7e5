import { createCache, createClient, type Gateway, type ParleyClient } from "@parley/client";
import { sharedStack } from "@parley/testing";
import { startEdgeProxy } from "./edge-proxy.js";

/** A new account. */
export async function register(baseUrl: string): Promise<[client: ParleyClient, id: string]> {
  const client = createClient({ baseUrl });
  const { id } = await client.register({
    username: `u_${crypto.randomUUID().slice(0, 8)}`,
    password: "correct horse",
  });
  return [client, id];
}

/**
 * A new member of a server with a cache, behind a proxy that can cut connections. `lists` counts the reads of the list of
 * channels, and `hold` keeps the answers of those that follow back until its promise resolves.
 */
async function startCache(edgeUrl: string, serverId: string, options: Parameters<typeof createCache>[1] = {}) {
  const [member, id] = await register(edgeUrl);
  await member.servers.join(serverId);
  const proxy = await startEdgeProxy(edgeUrl);
  let lists = 0;
  let held = Promise.resolve();
  const counting: typeof fetch = async (input, init) => {
    const answer = await fetch(input, init);
    if (!String(input).endsWith(`/servers/${serverId}/channels`)) return answer;
    lists += 1;
    await held;
    return answer;
  };
  const tokens = member.tokens ?? { accessToken: "", refreshToken: "" };
  const client = createClient({ baseUrl: proxy.url, tokens, fetch: counting });
  const cache = createCache(client, options);
  const gateway: Gateway = client.gateway({ cache, members: "all", backoff: { baseMs: 10, maxMs: 100 } });
  await gateway.connect();
  return {
    member,
    id,
    cache,
    gateway,
    cut: proxy.cut,
    lists: () => lists,
    hold(until: Promise<void>) {
      held = until;
    },
    async close() {
      gateway.close();
      await proxy.close();
    },
  };
}

/** A server with its owner, and members with caches of it, which end with the scene. */
export interface CacheScene {
  readonly edgeUrl: string;
  readonly owner: ParleyClient;
  readonly serverId: string;
  readonly follow: (options?: Parameters<typeof createCache>[1]) => ReturnType<typeof startCache>;
  readonly close: () => Promise<void>;
}

export async function startCacheScene(): Promise<CacheScene> {
  const { edgeUrl } = await sharedStack();
  const [owner] = await register(edgeUrl);
  const serverId = (await owner.servers.create({ name: "Chess club", is_public: true })).id;
  const closes: (() => Promise<void>)[] = [];
  return {
    edgeUrl,
    owner,
    serverId,
    async follow(options) {
      const follower = await startCache(edgeUrl, serverId, options);
      closes.push(follower.close);
      return follower;
    },
    async close() {
      for (const close of closes) await close();
    },
  };
}
