import { AutomodLogEntry, AutomodRule, type Channel, errorBody, type Server } from "@parley/contracts";
import { type Answer, createServerWithMembers, type RestClient, type UserClient } from "@parley/testing";
import { z } from "zod";

/** A server whose owner makes rules of auto-moderation, with one member who writes. */
export interface RuledServer {
  readonly server: Server;
  readonly channel: Channel;
  readonly owner: UserClient;
  readonly author: UserClient;
  /** Path of the rules. */
  readonly path: string;
  readonly add: (trigger: object, actions?: readonly object[], more?: object) => Promise<AutomodRule>;
  /** Status of the answer to a message. */
  readonly send: (content: string, channelId?: string, by?: UserClient) => Promise<number>;
  /** The log, newest first. */
  readonly logs: () => Promise<AutomodLogEntry[]>;
}

export const words = (...list: string[]) => ({ type: "words", words: list, match: "word" });
export const block = { type: "block" } as const;

/** Status and body of an answer. */
export const answerOf = ({ status, body }: Answer) => ({ status, body });
export const refused = (text: string, status = 403) => ({ status, body: errorBody(text) });

/** Creates a server of its own. */
export async function createRuledServer(client: RestClient): Promise<RuledServer> {
  const { server, channel, owner, members } = await createServerWithMembers(client, 1);
  const [author] = members;
  const path = `/servers/${server.id}/automod/rules`;
  return {
    server,
    channel,
    owner,
    author,
    path,
    add: async (trigger, actions = [block], more = {}) =>
      (await owner.post(path, { name: "rule", trigger, actions, ...more })).expect(201, AutomodRule.strict()),
    send: async (content, channelId = channel.id, by = author) =>
      (await by.post(`/channels/${channelId}/messages`, { content })).status,
    logs: async () =>
      (await owner.get(`/servers/${server.id}/automod/logs`)).expect(200, z.array(AutomodLogEntry.strict())),
  };
}
