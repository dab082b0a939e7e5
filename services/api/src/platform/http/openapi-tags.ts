/** The groups of the API description, in the order of the document, with their purpose. */
export const tagDescriptions = {
  messages: "Writing, reading, editing and deleting messages of a channel.",
  threads: "Replies below a message.",
  reactions: "Emoji on messages.",
  pins: "Messages that a channel keeps at hand.",
  polls: "Messages that are voted on.",
  attachments: "Files of messages: upload and download.",
  "direct messages": "Conversations of two people.",
  saved: "Messages that somebody keeps for later.",
  drafts: "What somebody has begun to write, on all devices.",
  reminders: "What somebody wants to be reminded of.",
  "scheduled messages": "Messages that are sent at a later time.",
  inbox: "What concerns somebody, of all servers and conversations.",
  "read state": "What somebody has read, and counts of what is unread.",
  search: "Words in messages.",
  "scheduled events": "Announced dates.",
  channels: "Channels of a server, and permission overrides in them.",
  servers: "Communities: making, changing, finding, joining and leaving them.",
  members: "Who belongs to a server.",
  roles: "Permissions of members.",
  invites: "Codes that lead into a server.",
  emojis: "Pictures of a server that serve as emoji.",
  pictures: "Pictures of people, servers and bots: upload and download.",
  moderation: "Kicks, bans and timeouts, and what was done to a member before.",
  reports: "What people and auto-moderation want looked at.",
  safety: "What a server asks of newcomers, its rules, and raids.",
  bans: "Who may not come back, and lifting that.",
  automod: "Rules that judge messages as they are sent, and their log.",
  "audit-log": "Who changed what in a server.",
  webhooks: "Events of a server sent to an address.",
  "incoming webhooks": "Addresses that send into a channel whatever is posted to them.",
  bots: "Accounts of programs: made by a user, authenticated by a token.",
  commands: "What people can ask bots to do.",
  interactions: "What people ask of bots, and what these answer.",
  users: "Profiles and presence.",
  friends: "Friends, and requests for friendship.",
  blocks: "Whom somebody does not want to hear from.",
  notifications: "What somebody wants to hear of.",
  push: "Devices that are told of messages while nobody looks.",
  auth: "Registration, sessions, passwords and the second factor.",
  voice: "Who is in a voice channel; addresses of STUN and TURN servers.",
  "go-live": "Screens that are shared in a voice channel.",
  gifs: "Search for GIFs.",
  "link previews": "Title and picture of a linked page.",
  administration: "The whole installation, for its administrators.",
  docs: "These descriptions.",
  health: "The state of the service; no rate limit counts these.",
} as const;

/** Group of an endpoint in the API description. */
export type Tag = keyof typeof tagDescriptions;

const camelCase = (words: string) => words.replace(/[ -](.)/g, (_, letter: string) => letter.toUpperCase());
const tagsOfClient = new Map(Object.keys(tagDescriptions).map((tag) => [camelCase(tag), tag]));

/**
 * The group of an endpoint: the one it names, or that of its method in the client.
 *
 * @throws Error for a group without a description
 */
export function tagOf({ tag, name }: { tag?: Tag; name: string }): string {
  const found = tag ?? tagsOfClient.get(name.split(".")[0] ?? "");
  if (found === undefined) throw new Error(`${name} is in no group of the API description`);
  return found;
}

/** The groups of endpoints, in the document's order. */
export function orderedTags(declarations: readonly { tag?: Tag; name: string }[]) {
  const used = new Set(declarations.map(tagOf));
  return Object.entries(tagDescriptions).flatMap(([name, description]) =>
    used.has(name) ? [{ name, description }] : [],
  );
}
