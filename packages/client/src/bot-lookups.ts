import type { BotOptions } from "./bot-options.js";
import { createClient, type ParleyClient } from "./client.js";
import { ParleyError } from "./error.js";
import type { RawServer } from "./generated/index.js";
import { pause } from "./pause.js";

const retryMs = 1_000;
/** Channels whose server is remembered. */
const knownChannelsMax = 10_000;

/**
 * The client of a bot.
 *
 * @throws ParleyError without `url` or `token`, and for an address that is none
 */
export function createBotClient({ url, token, client }: BotOptions): ParleyClient {
  if (!url) throw unset("url", "the address of its server such as https://chat.example.com");
  if (!token) throw unset("token", "which is shown when the bot is created");
  try {
    return createClient({ ...client, baseUrl: url, botToken: token });
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    throw new ParleyError({ status: 0, code: "wrong_setting", text, cause: error });
  }
}

const unset = (name: string, what: string) =>
  new ParleyError({
    status: 0,
    code: "wrong_setting",
    text: `A bot needs \`${name}\`, ${what}: is the setting there?`,
  });

/** Repeats an action that fails in passing, until the signal is aborted. */
export async function insist<Result>(act: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
  for (;;) {
    try {
      return await act();
    } catch (error) {
      const isPassing = error instanceof ParleyError && (error.status === 0 || error.status >= 429);
      if (!isPassing) throw error;
      await pause(retryMs, signal);
    }
  }
}

/** Finds the servers of channels, and remembers them. */
export function createServerLookup(client: () => ParleyClient): (channelId: string) => Promise<RawServer | null> {
  const serverIds = new Map<string, string | null>();
  return async (channelId) => {
    let serverId = serverIds.get(channelId);
    if (serverId === undefined) {
      serverId = (await client().channels.get(channelId)).server_id;
      if (serverIds.size >= knownChannelsMax) serverIds.clear();
      serverIds.set(channelId, serverId);
    }
    return serverId === null ? null : client().servers.get(serverId);
  };
}
