import { type NewInteraction, SentMessage } from "@parley/contracts";
import type { GatewayClient, Page } from "@parley/testing";
import { Answered, type AppStage, answer, connectWith, createAppStage, unhurried } from "../api/stages/app-stage.js";
import { channelPath, composer, type Visit, type WebStage } from "./web-stage.js";

/** A server with a bot that is connected, whose channel a member has open in a browser. */
export interface BotStage extends AppStage {
  readonly page: Page;
  /** The path of the channel, below `/app`. */
  readonly path: string;
  /** The bot's connection. */
  readonly connection: GatewayClient;
  /** Does something in the page, and resolves with the interaction that the bot gets. It waits for its answer as long as it lasts. */
  readonly asked: (action: () => Promise<unknown>) => Promise<NewInteraction>;
  /** Answers as the bot. */
  readonly respond: (interaction: NewInteraction, body: object) => Promise<void>;
  /** Sends a message of the bot to the channel. */
  readonly post: (body: object) => Promise<void>;
}

/** Makes a {@link BotStage}. */
export async function openWithBot(
  { client, stack, visit }: Pick<WebStage, "client" | "stack" | "visit">,
  commands: readonly object[],
  options: Visit = {},
): Promise<BotStage> {
  const app = await createAppStage(stack.edgeUrl, commands);
  const connection = await connectWith(stack.gateways[1]?.url ?? "", `bot_token=${app.bot.token}`);
  const path = channelPath({ server_id: app.serverId, id: app.channelId });
  const page = await visit(app.member, { ...options, path });
  await composer(page).waitFor();
  return {
    ...app,
    page,
    path,
    connection,
    async asked(action) {
      const since = connection.mark();
      await action();
      const interaction = await connection.waitFor("INTERACTION_CREATE", () => true, { since });
      await unhurried(stack.databaseUrl, interaction.id);
      return interaction;
    },
    async respond(interaction, body) {
      (await answer(client, interaction, body)).expect(200, Answered);
    },
    async post(body) {
      (await app.bot.client.post(`/channels/${app.channelId}/messages`, body)).expect(201, SentMessage);
    },
  };
}

/** An answer for the user alone. */
export const ephemeral = (content: string, more: object = {}) => ({
  type: "message",
  data: { content, ephemeral: true, ...more },
});
