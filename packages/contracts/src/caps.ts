/** A number of things, and their name in the code and the text of the 400. */
export interface Cap {
  readonly max: number;
  readonly things:
    | "blocks"
    | "bots"
    | "channels"
    | "drafts"
    | "friends"
    | "groups"
    | "invites"
    | "memberships"
    | "network_bans"
    | "notifications"
    | "overrides"
    | "passkeys"
    | "reactions"
    | "reminders"
    | "requests"
    | "roles"
    | "saved_messages"
    | "scheduled_messages"
    | "servers"
    | "words";
}

/** Caps of one account or one server (docs/protocol/limits.md#16.3). */
export const caps = {
  ownedServers: { max: 100, things: "servers" },
  memberships: { max: 200, things: "memberships" },
  botMemberships: { max: 10_000, things: "memberships" },
  /** Not revoked. */
  bots: { max: 25, things: "bots" },
  /** Revoked ones included: they stay in the list for good. */
  botsEver: { max: 1_000, things: "bots" },
  /** Per account, as the entries down to `savedMessages`. */
  blocks: { max: 1_000, things: "blocks" },
  friends: { max: 1_000, things: "friends" },
  /** That an account is in. */
  groups: { max: 100, things: "groups" },
  /** Requests for friendship that wait for others, and those that wait for the account. */
  outgoingRequests: { max: 200, things: "requests" },
  incomingRequests: { max: 1_000, things: "requests" },
  /** Servers, channels and threads with settings of their own. */
  notifications: { max: 2_000, things: "notifications" },
  passkeys: { max: 20, things: "passkeys" },
  drafts: { max: 1_000, things: "drafts" },
  reminders: { max: 100, things: "reminders" },
  scheduledMessages: { max: 100, things: "scheduled_messages" },
  savedMessages: { max: 1_000, things: "saved_messages" },
  /** Of the installation. */
  networkBans: { max: 10_000, things: "network_bans" },
  channels: { max: 500, things: "channels" },
  roles: { max: 250, things: "roles" },
  /** In force: neither expired nor used up. */
  invites: { max: 1_000, things: "invites" },
  /** Per channel. */
  overrides: { max: 100, things: "overrides" },
  words: { max: 1_000, things: "words" },
  /** Different emoji on a message, of all users together. */
  reactions: { max: 250, things: "reactions" },
} as const satisfies Record<string, Cap>;

/** Devices of an account that pushes go to; beyond it the one unused longest goes (docs/protocol/notifications.md#26.2). */
export const pushSubscriptionsMax = 20;

/** A cap with a text of its own. */
export const webhooksPerServerMax = 10;
/** Another one. */
export const incomingWebhooksPerChannelMax = 15;

/** Different emoji up to which a list of messages carries the reactions of one (docs/protocol/messages.md#7.1). */
export const listedReactionsMax = 50;
