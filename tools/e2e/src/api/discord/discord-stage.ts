import { discordToken, toSnowflake } from "@parley/contracts";
import { type EquippedStack, sharedStackWithDiscord, waitUntil } from "@parley/testing";
import { z } from "zod";
import { type AppStage, createAppStage } from "../stages/app-stage.js";
import { faultsOfAnswer, requireOffsets } from "./discord-shapes.js";

/** The snowflake of an identifier of ours. */
export const snowflake = (id: string): string => {
  const text = toSnowflake(id);
  if (text === null) throw new Error(`${id} has no snowflake`);
  return text;
};

/** An answer of Discord's API. */
export interface DiscordAnswer {
  readonly status: number;
  readonly headers: Headers;
  // Bodies are compared, not used.
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any key of an answer
  readonly body: any;
}

/** A server with a bot that speaks Discord's API and may do everything that rights allow but be an administrator. */
export interface DiscordStage extends AppStage {
  readonly stack: EquippedStack;
  readonly guildId: string;
  readonly textChannelId: string;
  readonly memberId: string;
  /** Id of the bot's account, which is its application. */
  readonly applicationId: string;
  readonly call: (
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<DiscordAnswer>;
  /** The same without the token. */
  readonly callOpen: DiscordStage["call"];
}

/** A picture as bots send it. */
export const png =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

export const everyPermission = 32_767;
const allButAdministrator = everyPermission - 8_192;

/** Makes the stage on the shared stack; without permissions the bot has all but ADMINISTRATOR. */
export async function createDiscordStage({ permissions = allButAdministrator } = {}): Promise<DiscordStage> {
  const stack = await sharedStackWithDiscord();
  const stage = await createAppStage(stack.edgeUrl, []);
  const { owner, serverId, bot } = stage;
  const role = await owner.post(`/servers/${serverId}/roles`, {
    name: "Helpers",
    permissions,
    position: 9,
  });
  const { id } = role.expect(201, z.object({ id: z.string() }));
  await owner.put(`/servers/${serverId}/members/${bot.userId}/roles/${id}`);
  const authorization = `Bot ${discordToken(bot.userId, bot.token)}`;
  const caller =
    (own: Record<string, string>): DiscordStage["call"] =>
    async (method, path, body, headers = {}) => {
      // A text is JSON as a library of another language writes it.
      const isWritten = body instanceof FormData || typeof body === "string";
      const isForm = body instanceof FormData;
      const send = async () => {
        const answer = await fetch(`${stack.edgeUrl}/discord/api/v10${path}`, {
          method,
          headers: {
            ...own,
            ...(body === undefined || isForm ? {} : { "content-type": "application/json" }),
            ...headers,
          },
          ...(body === undefined ? {} : { body: isWritten ? body : JSON.stringify(body) }),
        });
        return { status: answer.status, headers: answer.headers, text: await answer.text() };
      };
      // It waits where it is limited, as libraries for Discord do.
      const { text, ...answer } = await waitUntil(async () => {
        const sent = await send();
        return sent.status === 429 ? null : sent;
      });
      const parsed = text === "" ? undefined : JSON.parse(requireOffsets(text));
      const faults = faultsOfAnswer(path, answer.status, parsed);
      if (faults.length > 0) throw new Error(`${method} ${path}: ${faults.slice(0, 5).join("; ")}: ${text}`);
      return { ...answer, body: parsed };
    };
  return {
    ...stage,
    stack,
    guildId: snowflake(serverId),
    textChannelId: snowflake(stage.channelId),
    memberId: snowflake(stage.member.user.id),
    applicationId: snowflake(bot.userId),
    call: caller({ authorization }),
    callOpen: caller({}),
  };
}
