import { createHmac } from "node:crypto";
import type { IceServers } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import { getAccount } from "../../people/users/repository.js";

/** How long TURN credentials are valid (docs/protocol/calls.md#9.3). */
const turnTtlSeconds = 86_400;

/** Addresses of STUN and TURN servers; TURN needs the secret that it shares with its servers. */
export interface IceConfig {
  stunUrls: readonly string[];
  turnUrls: readonly string[];
  turnSecret: string | undefined;
}

/**
 * Credentials that a TURN server with the same shared secret accepts until they expire (docs/protocol/calls.md#9.3).
 *
 * @param input.nowSeconds Unix time
 */
export function turnCredentials(input: { secret: string; username: string; nowSeconds: number }) {
  const username = `${input.nowSeconds + turnTtlSeconds}:${input.username}`;
  return { username, credential: createHmac("sha1", input.secret).update(username).digest("base64") };
}

/** The servers by which a client finds a way to its peers. */
export function createIceServers({ database, config }: { database: Database; config: IceConfig }) {
  return async (userId: string): Promise<IceServers> => {
    const { stunUrls, turnUrls, turnSecret: secret } = config;
    const iceServers: IceServers["iceServers"] = stunUrls.map((urls) => ({ urls }));
    if (secret !== undefined && turnUrls.length > 0) {
      const { username } = await getAccount(database, userId);
      const credentials = turnCredentials({ secret, username, nowSeconds: Math.floor(Date.now() / 1000) });
      iceServers.push(...turnUrls.map((urls) => ({ urls, ...credentials })));
    }
    return { iceServers, ttl: turnTtlSeconds };
  };
}
