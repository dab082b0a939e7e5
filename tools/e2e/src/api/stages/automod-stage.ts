import { AutomodLogEntry, type Channel, errorBody, type Server } from "@parley/contracts";
import { createServerWithMembers, type RestClient, type UserClient } from "@parley/testing";
import { z } from "zod";

/** Status and body of an answer to a message; without the body when it was accepted. */
export type Verdict = readonly [status: number, body: unknown];

/** A server with auto-moderation, and somebody who writes there. */
export interface GuardedServer {
  readonly server: Server;
  readonly channel: Channel;
  readonly owner: UserClient;
  readonly author: UserClient;
  /** Path of the server's auto-moderation. */
  readonly path: string;
  readonly send: (content: string, by?: UserClient, channelId?: string) => Promise<Verdict>;
  /** The log, newest first. */
  readonly logs: () => Promise<AutomodLogEntry[]>;
}

export const passed: Verdict = [201, undefined];
const refused = (text: string): Verdict => [403, errorBody(text)];
export const filtered = refused("Message blocked by word filter");
export const repeated = refused("Duplicate message blocked");
export const timedOut = refused("User is timed out");

/** Creates a server of its own, with auto-moderation switched on as given and the words filtered. */
export async function createGuardedServer(
  client: RestClient,
  settings: Record<string, unknown>,
  words: readonly string[] = [],
): Promise<GuardedServer> {
  const { server, channel, owner, members } = await createServerWithMembers(client, 1);
  const [author] = members;
  const path = `/servers/${server.id}/automod`;
  (await owner.patch(path, { enabled: true, ...settings })).expect(200, z.unknown());
  for (const word of words) (await owner.post(`${path}/words`, { word })).expect(201, z.unknown());
  return {
    server,
    channel,
    owner,
    author,
    path,
    send: async (content, by = author, channelId = channel.id) => {
      const { status, body } = await by.post(`/channels/${channelId}/messages`, { content });
      return [status, status === 201 ? undefined : body];
    },
    logs: async () => (await owner.get(`${path}/logs`)).expect(200, z.array(AutomodLogEntry.strict())),
  };
}
