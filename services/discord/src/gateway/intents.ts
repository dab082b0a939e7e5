import { GatewayIntentBits } from "discord-api-types/v10";

/** Whether something belongs to a server or to direct messages. */
export type Place = "guild" | "direct";

const { Guilds, GuildMembers, GuildModeration, GuildExpressions, GuildWebhooks, GuildInvites, GuildVoiceStates } =
  GatewayIntentBits;
const { GuildPresences, GuildScheduledEvents, DirectMessages, DirectMessageReactions } = GatewayIntentBits;
const { GuildMessages, GuildMessageReactions, GuildMessageTyping, DirectMessageTyping } = GatewayIntentBits;
const { GuildMessagePolls, DirectMessagePolls, MessageContent } = GatewayIntentBits;

const guild = (bit: number) => ({ guild: bit, direct: 0 });
const messages = { guild: GuildMessages, direct: DirectMessages };
const reactions = { guild: GuildMessageReactions, direct: DirectMessageReactions };
const polls = { guild: GuildMessagePolls, direct: DirectMessagePolls };

/** The intent that an event needs; those that are not here come always. */
const intents: Readonly<Record<string, Readonly<Record<Place, number>>>> = {
  GUILD_CREATE: guild(Guilds),
  GUILD_UPDATE: guild(Guilds),
  GUILD_DELETE: guild(Guilds),
  GUILD_ROLE_CREATE: guild(Guilds),
  GUILD_ROLE_UPDATE: guild(Guilds),
  GUILD_ROLE_DELETE: guild(Guilds),
  CHANNEL_CREATE: guild(Guilds),
  CHANNEL_UPDATE: guild(Guilds),
  CHANNEL_DELETE: guild(Guilds),
  CHANNEL_PINS_UPDATE: { guild: Guilds, direct: DirectMessages },
  THREAD_CREATE: guild(Guilds),
  THREAD_UPDATE: guild(Guilds),
  THREAD_DELETE: guild(Guilds),
  THREAD_LIST_SYNC: guild(Guilds),
  GUILD_MEMBER_ADD: guild(GuildMembers),
  GUILD_MEMBER_UPDATE: guild(GuildMembers),
  GUILD_MEMBER_REMOVE: guild(GuildMembers),
  GUILD_BAN_ADD: guild(GuildModeration),
  GUILD_BAN_REMOVE: guild(GuildModeration),
  GUILD_AUDIT_LOG_ENTRY_CREATE: guild(GuildModeration),
  GUILD_EMOJIS_UPDATE: guild(GuildExpressions),
  WEBHOOKS_UPDATE: guild(GuildWebhooks),
  INVITE_CREATE: guild(GuildInvites),
  INVITE_DELETE: guild(GuildInvites),
  VOICE_STATE_UPDATE: guild(GuildVoiceStates),
  PRESENCE_UPDATE: guild(GuildPresences),
  MESSAGE_CREATE: messages,
  MESSAGE_UPDATE: messages,
  MESSAGE_DELETE: messages,
  MESSAGE_DELETE_BULK: guild(GuildMessages),
  MESSAGE_REACTION_ADD: reactions,
  MESSAGE_REACTION_REMOVE: reactions,
  MESSAGE_REACTION_REMOVE_ALL: reactions,
  MESSAGE_REACTION_REMOVE_EMOJI: reactions,
  TYPING_START: { guild: GuildMessageTyping, direct: DirectMessageTyping },
  GUILD_SCHEDULED_EVENT_CREATE: guild(GuildScheduledEvents),
  GUILD_SCHEDULED_EVENT_UPDATE: guild(GuildScheduledEvents),
  GUILD_SCHEDULED_EVENT_DELETE: guild(GuildScheduledEvents),
  GUILD_SCHEDULED_EVENT_USER_ADD: guild(GuildScheduledEvents),
  GUILD_SCHEDULED_EVENT_USER_REMOVE: guild(GuildScheduledEvents),
  MESSAGE_POLL_VOTE_ADD: polls,
  MESSAGE_POLL_VOTE_REMOVE: polls,
};

/** Bits that a client may ask for: all that Discord's documentation names. */
const known = Object.values(GatewayIntentBits).reduce<number>(
  (sum, bit) => sum | (typeof bit === "number" ? bit : 0),
  0,
);

export const areIntents = (value: number): boolean =>
  Number.isInteger(value) && value >= 0 && value <= 0x7fffffff && (value & ~known) === 0;

/** Whether the intents of a session ask for an event. */
export function isAskedFor(asked: number, event: string, place: Place): boolean {
  const needed = intents[event];
  return needed === undefined || (asked & needed[place]) !== 0;
}

/** Whether the intents of a session ask for the contents of other people's messages. */
export const readsContent = (asked: number): boolean => (asked & MessageContent) !== 0;

export const readsPresences = (asked: number): boolean => (asked & GuildPresences) !== 0;
