import { Channel, JoinedServer, Message, Role, Server } from "@parley/contracts";
import { z } from "zod";
import type { RestClient, UserClient } from "./rest-client.js";

/** As many users as a test names by their places. */
export type Users<Count extends number, List extends readonly UserClient[] = readonly []> = number extends Count
  ? readonly UserClient[]
  : List["length"] extends Count
    ? List
    : Users<Count, readonly [...List, UserClient]>;

/** A server with an owner, members and one text channel. */
export interface ServerFixture<Members extends readonly UserClient[] = readonly UserClient[]> {
  readonly server: Server;
  readonly channel: Channel;
  readonly owner: UserClient;
  /** Without the owner. */
  readonly members: Members;
}

/** Creates a server of `owner`. */
export async function createServer(
  owner: RestClient,
  fields: { name?: string; is_public?: boolean; require_invite?: boolean; icon_url?: string } = {},
): Promise<Server> {
  return (await owner.post("/servers", { name: "Chess club", ...fields })).expect(201, Server);
}

/** Creates a channel. */
export async function createChannel(
  by: RestClient,
  serverId: string,
  fields: { name?: string; type?: "text" | "voice"; topic?: string; category?: string } = {},
): Promise<Channel> {
  return (await by.post(`/servers/${serverId}/channels`, { name: "general", ...fields })).expect(201, Channel);
}

/** Joins a public server. */
export async function joinServer(user: RestClient, serverId: string): Promise<void> {
  (await user.post(`/servers/${serverId}/join`)).expect(201, JoinedServer);
}

/** Posts a message. */
export async function postMessage(author: RestClient, channelId: string, content: string): Promise<Message> {
  return (await author.post(`/channels/${channelId}/messages`, { content })).expect(201, Message);
}

/**
 * The author in events and with `include=author`, for a user without nickname and picture
 * (docs/protocol/events.md#23.4).
 */
export const asAuthor = ({ user }: UserClient) => ({
  id: user.id,
  username: user.username,
  nickname: null,
  avatar_url: null,
});

/** The payload of a message's events: beside the message its server and its author. */
export const asEvent = <M extends Message>(message: M, server_id: string, author: UserClient) => ({
  ...message,
  server_id,
  author: asAuthor(author),
});

/** The newest messages of a channel, newest first. */
export async function listMessages(reader: RestClient, channelId: string): Promise<Message[]> {
  return (await reader.get(`/channels/${channelId}/messages`)).expect(200, z.array(Message));
}

/** Registers `memberCount` users and an owner, and puts them into a new public server with one text channel. */
export function createServerWithMembers<Count extends number>(
  client: RestClient,
  memberCount: Count,
): Promise<ServerFixture<Users<Count>>>;
export async function createServerWithMembers(client: RestClient, memberCount: number): Promise<ServerFixture> {
  const owner = await client.register();
  const server = await createServer(owner, { is_public: true });
  const channel = await createChannel(owner, server.id);
  const members: UserClient[] = [];
  for (let count = 0; count < memberCount; count += 1) {
    const member = await client.register();
    await joinServer(member, server.id);
    members.push(member);
  }
  return { server, channel, owner, members };
}

/** Creates a role. */
export async function createRole(
  by: RestClient,
  serverId: string,
  fields: {
    name?: string;
    permissions?: number;
    rights?: readonly string[];
    color?: string;
    position?: number;
    mentionable?: boolean;
  } = {},
): Promise<Role> {
  return (await by.post(`/servers/${serverId}/roles`, { name: "Helper", ...fields })).expect(201, Role);
}

/** Gives a member a role. */
export async function assignRole(by: RestClient, role: Role, user: UserClient): Promise<void> {
  const answer = await by.put(`/servers/${role.server_id}/members/${user.user.id}/roles/${role.id}`);
  if (answer.status !== 204) throw new Error(`The role was not assigned: ${answer.status}`);
}
