import { Command, Member, type NewInteraction } from "@parley/contracts";
import {
  connectGateway,
  createClient,
  createServerWithMembers,
  type GatewayClient,
  type RestClient,
  type UserClient,
} from "@parley/testing";
import { z } from "zod";
import { runSql } from "./admin-stage.js";

const CreatedBot = z.object({ bot: z.object({ id: z.string(), user_id: z.string() }), token: z.string() });
export const Begun = z.strictObject({ id: z.string() });
export const Answered = z.strictObject({ message_id: z.string().nullable() });

/** A bot with commands in a server, and a member who uses them. */
export interface AppStage {
  owner: UserClient;
  member: UserClient;
  serverId: string;
  channelId: string;
  bot: { id: string; userId: string; token: string; client: RestClient };
  commands: Command[];
}

/** Makes a server with a member and a bot with these commands. */
export async function createAppStage(edgeUrl: string, commands: readonly object[]): Promise<AppStage> {
  const client = createClient(edgeUrl);
  const { owner, server, channel, members } = await createServerWithMembers(client, 1);
  const { bot, token } = (await owner.post("/bots", { name: "Chess" })).expect(201, CreatedBot);
  const asBot = client.withAuthorization(`Bot ${token}`);
  const put = await asBot.put("/bots/@me/commands", { commands });
  const added = await owner.post(`/servers/${server.id}/bots`, { bot_id: bot.id, permissions: 3 });
  added.expect(201, Member);
  return {
    owner,
    member: members[0],
    serverId: server.id,
    channelId: channel.id,
    bot: { id: bot.id, userId: bot.user_id, token, client: asBot },
    commands: put.expect(200, z.object({ commands: z.array(Command) })).commands,
  };
}

/** A connection with `v=2` that has had READY. */
export async function connectWith(url: string, credential: string): Promise<GatewayClient> {
  const gateway = connectGateway(url, "", { query: `${credential}&v=2` });
  await gateway.ready;
  return gateway;
}

/** The body that begins an interaction with a command of the stage. */
export function use({ bot, commands }: AppStage, name: string, fields: object = {}) {
  return {
    bot_user_id: bot.userId,
    command_id: commands.find((each) => each.name === name)?.id,
    options: {},
    ...fields,
  };
}

/**
 * Lets an interaction that the bot has got wait for its answer for as long as it lasts: a slow machine may need longer
 * than a bot has. Call it once the bot has the interaction: a gateway may skip a row that this statement locks.
 */
export async function unhurried(databaseUrl: string, id: string): Promise<void> {
  await runSql(databaseUrl, "UPDATE interactions SET due_at = expires_at WHERE id = $1 AND state = 'pending'", [id]);
}

/** Answers as the bot, which has no credential but the token. */
export function answer(client: RestClient, { id, token }: NewInteraction, body: object) {
  return client.withAuthorization(null).post(`/interactions/${id}/${token}/answer`, body);
}
