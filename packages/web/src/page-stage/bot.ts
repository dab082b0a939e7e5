import type {
  BotCommands,
  Command,
  CommandOption,
  DetailedMessage,
  InteractionMessage,
  InteractionState,
  InteractionsInvokeBody,
  User,
} from "@parley/client";
import { expect } from "vitest";
import { composer } from "./conversation.js";
import type { FakeConnection } from "./fake-socket.js";
import { type Community, channelPath, community, message, newId, user } from "./fixtures.js";
import { shown } from "./seeing.js";
import { type Stage, type Visit, visit } from "./stage.js";
import { type World, world } from "./world.js";

/** A request of the page to the bot. */
export interface Begun {
  /** As the server answered. */
  readonly id: string;
  readonly body: InteractionsInvokeBody;
}

/** The channel #general of a server with a bot, open on the page of a member. */
export interface BotTalk {
  readonly stage: Stage;
  readonly there: World;
  readonly club: Community;
  readonly general: Community["channels"][0];
  /** The owner of the server. */
  readonly ada: User;
  /** The user of the page. */
  readonly ben: User;
  /** The account of the bot, which is shown as “chess”. */
  readonly bot: User;
  /** The commands of the channel's bots, as the next read gets them. */
  readonly offered: BotCommands;
  /** Answers requests for interactions, unless a test replaces it. */
  readonly begin: (request: { body: InteractionsInvokeBody }) => { id: string };
  /** The requests so far. */
  readonly begun: readonly Begun[];
  /** The last request. */
  readonly last: () => Begun;
  /** Does something on the page, and resolves with the request that it causes. */
  asked(action: () => Promise<unknown>): Promise<Begun>;
  /** INTERACTION_UPDATE, see {@link stateOf}. */
  update(of: Begun, changes: Partial<InteractionState>): void;
  /** The bot sends a message to the channel. */
  post(content: string, changes?: Partial<DetailedMessage>): DetailedMessage;
  /** A message of the bot for the user alone. */
  ephemeral(content: string, changes?: Partial<InteractionMessage>): InteractionMessage;
}

type Options = Omit<Visit, "onConnection"> & {
  /** The beginning of a connection, as with {@link visit}. */
  readonly onConnection?: (connection: FakeConnection, there: World) => void;
};

/** Opens a {@link BotTalk}, whose bot has these commands. */
export async function openWithBot(
  commands: Command[] = [],
  { onConnection, ...options }: Options = {},
): Promise<BotTalk> {
  const [ada, ben, bot] = [user("ada"), user("ben"), user("chess-bot-0a1b2c3d")];
  const club = community([ada, ben, bot]);
  club.members = club.members.map((one) => (one.user_id === bot.id ? { ...one, is_bot: true } : one));
  const [general] = club.channels;
  const offered: BotCommands = { bot_user_id: bot.id, name: "Chess", avatar_url: null, commands };
  const begun: Begun[] = [];
  const begin: BotTalk["begin"] = ({ body }) => {
    const id = newId();
    begun.push({ id, body });
    return { id };
  };
  const there = world(ben, [club]);
  const last = (): Begun => {
    const newest = begun.at(-1);
    if (newest === undefined) throw new Error("Nothing was asked.");
    return newest;
  };
  const stage = await visit(there, {
    path: channelPath(general),
    ...options,
    ...(onConnection === undefined ? {} : { onConnection: (connection) => onConnection(connection, there) }),
    prepare(server) {
      server.on("GET /channels/:id/commands", () => ({ bots: offered.commands.length === 0 ? [] : [offered] }));
      server.on<InteractionsInvokeBody>("POST /channels/:id/interactions", begin);
      options.prepare?.(server);
    },
  });
  await shown(composer());
  return {
    ...{ stage, there, club, general, ada, ben, bot, offered, begin, begun, last },
    async asked(action) {
      const before = begun.length;
      await action();
      await expect.poll(() => begun.length, { message: "what the bot is asked" }).toBeGreaterThan(before);
      return last();
    },
    update: (of, changes) => stage.socket.event("INTERACTION_UPDATE", stateOf(of, changes)),
    post(content, changes) {
      const sent = message(general, bot, content, changes);
      stage.arrives(sent);
      return sent;
    },
    ephemeral: (content, changes) => ({
      ...storedPart(message(general, bot, content)),
      ephemeral: true,
      ...changes,
    }),
  };
}

/** A message as interactions have it: without the additions of lists. */
export function storedPart(sent: DetailedMessage): InteractionMessage {
  const { reactions: _reactions, previews: _previews, attachments: _files, author: _author, ...stored } = sent;
  return stored;
}

/** How something stands that was asked: answered, unless the changes say something else. */
export const stateOf = ({ id }: Pick<Begun, "id">, changes: Partial<InteractionState>): InteractionState => ({
  ...{ id, state: "answered", message: null, modal: null, choices: null },
  ...changes,
});

/** A command about the server, without options. */
export const command = (name: string, description: string, changes: Partial<Command> = {}): Command => ({
  ...{ id: newId(), name, description, context: "server", options: [], default_permissions: null },
  ...changes,
});

/** An option that may be left out. */
export const commandOption = (
  name: string,
  type: CommandOption["type"],
  changes: Partial<CommandOption> = {},
): CommandOption => ({
  ...{ name, type, description: `The ${name}`, required: false, choices: null, min: null, max: null },
  autocomplete: false,
  ...changes,
});
