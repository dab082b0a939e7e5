import type { InteractionState, InteractionsInvokeBody } from "@parley/client";
import { type BotOptions, type BotProgram, createBot, createClient, type ParleyClient } from "@parley/client";
import { sharedStack, waitUntil } from "@parley/testing";
import { afterEach, beforeAll } from "vitest";

/** How long a program of its own may take to start, and to answer. */
export const patience = { timeoutMs: 45_000 };

/** A client of a new user. */
export async function newcomer(baseUrl: string): Promise<ParleyClient> {
  const client = createClient({ baseUrl });
  await client.register({ username: `u_${crypto.randomUUID().slice(0, 8)}`, password: "correct horse" });
  return client;
}

/** A server with a member, and a bot that was added to it with these permissions. */
export async function createAppBotStage({ permissions = 3 } = {}) {
  const { edgeUrl: baseUrl } = await sharedStack();
  const owner = await newcomer(baseUrl);
  const member = await newcomer(baseUrl);
  const { id: serverId } = await owner.servers.create({ name: "Chess club", is_public: true });
  const { id: channelId } = await owner.channels.create(serverId, { name: "general" });
  await member.servers.join(serverId);
  const { bot, token } = await owner.bots.create({ name: "Helper" });
  await owner.bots.addToServer(serverId, { bot_id: bot.id, permissions });
  const memberId = (await member.users.me()).id;
  const state = async (body: InteractionsInvokeBody, who = member, where = channelId): Promise<InteractionState> => {
    const { id } = await who.interactions.invoke(where, body);
    return waitUntil(async () => {
      const now = await who.interactions.get(id);
      return now.state === "pending" ? null : now;
    }, patience);
  };
  const commandId = (name: string) =>
    waitUntil(async () => {
      const { bots } = await member.commands.list(channelId);
      return bots.flatMap(({ commands }) => commands).find((each) => each.name === name)?.id ?? null;
    }, patience);
  return {
    baseUrl,
    token,
    owner,
    member,
    memberId,
    serverId,
    channelId,
    bot: { id: bot.id, userId: bot.user_id },
    /** Begins an interaction; resolves as `use`. */
    begin: state,
    /** Uses a command; resolves with the first state that is another one than pending. */
    async use(name: string, options: Record<string, unknown> = {}, more: object = {}, who = member) {
      const command_id = await commandId(name);
      return state({ bot_user_id: bot.user_id, command_id, options, ...more }, who);
    },
    /** Uses a command that is not answered. */
    async ask(name: string): Promise<void> {
      const command_id = await commandId(name);
      await member.interactions.invoke(channelId, { bot_user_id: bot.user_id, command_id, options: {} });
    },
    /** Presses a component, or selects in it. */
    press: (message_id: string, custom_id: string, { values = [] as string[], who = member, where = channelId } = {}) =>
      state({ message_id, custom_id, values }, who, where),
    /** Hands a form in that answered an interaction. */
    handIn: ({ id, modal }: InteractionState, fields: Record<string, string>, who = member) =>
      state({ interaction_id: id, modal_id: modal?.modal_id ?? "", fields }, who),
    /** Waits until an interaction stands so. */
    until: (id: string, wanted: (now: InteractionState) => boolean) =>
      waitUntil(async () => {
        const now = await member.interactions.get(id);
        return wanted(now) ? now : null;
      }, patience),
    /** The messages of the channel, oldest first. */
    said: async (where = channelId) => (await owner.messages.list(where)).map(({ content }) => content).reverse(),
  };
}
export type AppBotStage = Awaited<ReturnType<typeof createAppBotStage>>;

/** Runs a bot; the lines of its log appear in the array that is returned. */
export async function runBot(
  { baseUrl, token }: AppBotStage,
  setUp: (bot: BotProgram) => unknown,
  options: Partial<BotOptions> = {},
) {
  const log: string[] = [];
  const bot = createBot({ url: baseUrl, token, log: (line) => log.push(line), ...options });
  setUp(bot);
  const ended = bot.start();
  ended.catch(() => undefined);
  await Promise.race([waitUntil(() => log.includes("Connected"), patience), ended]);
  return {
    bot,
    log,
    ended,
    async stop() {
      bot.stop();
      await ended;
    },
  };
}

/**
 * Makes a stage for all tests of a file, and stops after each test the bots that it runs.
 *
 * @param begin gets the stage before the first test
 */
export function useBots(begin: (stage: AppBotStage) => void) {
  const stops: (() => Promise<unknown>)[] = [];
  let stage: AppBotStage;
  beforeAll(async () => {
    stage = await createAppBotStage();
    begin(stage);
  });
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop();
  });
  return {
    /** Further things to stop after the test. */
    stops,
    async run(setUp: (bot: BotProgram) => unknown, options?: Partial<BotOptions>) {
      const running = await runBot(stage, setUp, options);
      stops.push(running.stop);
      return running;
    },
  };
}
