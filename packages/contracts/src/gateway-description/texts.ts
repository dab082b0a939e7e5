import type { ClientOp } from "../gateway.js";

/** Descriptions of the frames of a gateway that are no events of the registry, which has those of its own. */
export const answerTexts = {
  READY: "First frame of a connection: the account, its servers, direct messages and what is unread.",
  RESUMED: "Ends the replay of a continued connection: what follows is live.",
  VIEW_ACK:
    "Answer to a VIEW, to that connection only: what it shows from now on. With `view` also sent when other servers are " +
    "passive. Ephemeral: never replayed.",
  CHANNEL_ACTIVITY:
    "With `view`, of a passive server: the numbers of channels of which something was left out, at most every 5 seconds. " +
    "Ephemeral: never replayed.",
  HEARTBEAT_ACK: "Answer to a HEARTBEAT, to that connection only.",
} as const;

/** Descriptions of the frames that a client sends. */
export const clientFrameTexts: Readonly<Record<ClientOp, string>> = {
  HEARTBEAT: "Sent about every 30 seconds; a connection that sends nothing for 300 seconds is closed.",
  PRESENCE_UPDATE: "Sets the status; an omitted text is kept, null clears it. Of users only.",
  TYPING_START:
    "Tells a channel, or the other participant of a direct-message channel, that the user types. Of users only.",
  VOICE_SIGNAL: "Passes a signal on to somebody in the same voice channel. Of users only.",
  PRESENCE_SUBSCRIBE:
    "On a connection with `presence=subscribed`: replaces the users whose presence it gets. One PRESENCE_UPDATE follows " +
    "for each of them who is not offline. Of one user 20 per second; beyond, the last one of a connection waits.",
  VIEW:
    "On a connection with `v=2`: replaces the channels that it shows; `active` says whether somebody looks at them, so that no " +
    "push goes out of these. Answered with VIEW_ACK. Of one user 20 per second; beyond, the last one of a connection waits.",
};

/** Whom an event reaches, by its audience. */
export const audienceTexts = {
  channel: "those who may view the channel; in direct messages both participants",
  server: "all members of the server",
  user: "the users concerned",
  comembers: "everybody who shares a server with the user",
} as const;

/** How to connect; Markdown. */
export const connectionText = `Connect to \`/ws\` (or \`/api/ws\`) with an access token: \`/ws?token=…\`, or as a bot \`/ws?bot_token=…\`.
A token that is missing, invalid or expired is refused with HTTP 401 before the upgrade, a wrong query with HTTP 400.

Every frame is one JSON object in a text frame: \`op\` says what it is, \`t\` names the event of a DISPATCH, \`d\` is the
payload. The first frame is READY. Unknown keys are to be ignored, and so are unknown ops and events.

**Staying connected.** Send HEARTBEAT about every 30 seconds; without any frame for 300 seconds the connection is closed.
Reconnect after 1 second, doubling up to 30 seconds. Frames of a client are limited to 16384 bytes and to 20 in any
second; what is over the rate, malformed or not allowed is dropped without an answer.

**Continuing.** With \`s=\` in the query the connection is numbered: READY and every durable event carry a position \`s\`.
After a loss, connect with the latest one: the missed events are replayed, then comes RESUMED. If that is not possible,
READY comes instead and says why in \`d.resync\`: \`unknown\` (no position of this user), \`expired\` (too old), \`filter\`
(another filter, shard or version), \`membership\` (a server was joined or left meanwhile), \`too_many\` (too much was missed).

**All changes.** With \`v=2\` in the query every change of what a client may see is an event: who reads a list after READY
and applies the events has what reading it again would give, for as long as the connection continues. When rights change
(CHANNEL_OVERRIDE_*, ROLE_*, own MEMBER_ROLE_*) the channels of the server are read again. With \`members=all\` beside it the
connection gets the joins, changes and leaves of all members.

**Large servers.** With \`v=2&view=on\` servers with more than 250 connected members are *passive*: of their channels only
those that VIEW names send everything, the others what mentions or answers the user, and CHANNEL_ACTIVITY.

**Close codes.** 1000 ordinary end: idle, too many connections, or access withdrawn. 1001 the gateway stops, could not
make READY, or the client reads too slowly. 1008 far too many frames, or a banned network. 1009 a frame was too large.`;
