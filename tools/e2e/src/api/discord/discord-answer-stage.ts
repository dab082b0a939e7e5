import type { NewInteraction } from "@parley/contracts";
import { Begun, connectWith, unhurried } from "../stages/app-stage.js";
import { createDiscordStage, type DiscordStage, snowflake } from "./discord-stage.js";

/** An interaction that waits for its answer over Discord's API. */
export interface Waiting {
  readonly interaction: NewInteraction;
  /** Address of the first answer. */
  readonly callback: string;
  /** Address of follow-ups, below which those of the messages are. */
  readonly answers: string;
  readonly original: string;
}

/** A stage whose bot has the command `ping`, and what the member does with it. */
export interface AnswerStage {
  readonly stage: DiscordStage;
  /** Address of the bot's commands. */
  readonly commands: string;
  readonly invoke: (name: string, options?: object) => Promise<Waiting>;
  /** @param messageId UUID of the message */
  readonly press: (messageId: string, custom_id: string) => Promise<Waiting>;
  readonly submit: (asking: Waiting, modal_id: string, fields: object) => Promise<Waiting>;
}

/** The token as the gateway for Discord's bots writes it: with the interaction's id. */
const tokenOf = ({ id, token }: NewInteraction) =>
  `${token}${Buffer.from(id.replaceAll("-", ""), "hex").toString("base64url")}`;

export async function createAnswerStage(): Promise<AnswerStage> {
  const stage = await createDiscordStage();
  const { applicationId, bot, call, channelId, member, stack } = stage;
  const commands = `/applications/${applicationId}/commands`;
  const made = await call("POST", commands, { name: "ping", description: "Answers" });
  if (made.status !== 201) throw new Error(`The command was not made: ${made.status}`);
  const gateway = await connectWith(stack.edgeUrl, `bot_token=${bot.token}`);

  const begin = async (body: object): Promise<Waiting> => {
    const { id } = (await member.post(`/channels/${channelId}/interactions`, body)).expect(202, Begun);
    const interaction = await gateway.waitFor("INTERACTION_CREATE", (begun) => begun.id === id);
    await unhurried(stack.databaseUrl, id);
    const token = tokenOf(interaction);
    const answers = `/webhooks/${applicationId}/${token}`;
    return {
      interaction,
      callback: `/interactions/${snowflake(id)}/${token}/callback`,
      answers,
      original: `${answers}/messages/@original`,
    };
  };
  return {
    stage,
    commands,
    async invoke(name, options = {}) {
      const listed = await member.get(`/channels/${channelId}/commands`);
      const { bots } = listed.body as { bots: { commands: { id: string; name: string }[] }[] };
      const command_id = bots[0]?.commands.find((command) => command.name === name)?.id;
      return begin({ bot_user_id: bot.userId, command_id, options });
    },
    press: (message_id, custom_id) => begin({ message_id, custom_id }),
    submit: ({ interaction }, modal_id, fields) => begin({ interaction_id: interaction.id, modal_id, fields }),
  };
}
