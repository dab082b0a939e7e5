import type { DispatchEvents } from "@parley/client";
import { withoutCommands } from "../apps/interaction-events.js";
import { onChannel, onChannelDelete } from "../community/channel-events.js";
import { onMemberJoin, onMemberLeave, onMemberUpdate } from "../community/member-events.js";
import { onChannelActivity, onResumed, onViewAck } from "../community/passive.js";
import { onReport } from "../community/safety.js";
import {
  onEmojiCreate,
  onEmojiDelete,
  onMemberRemove,
  onMemberRoleAdd,
  onMemberRoleRemove,
  onOverride,
  onOverrideDelete,
  onRole,
  onRoleDelete,
  onServerJoin,
  onServerLeave,
  onServerUpdate,
  onTimeout,
} from "../community/server-events.js";
import {
  onDmChannel,
  onGoLiveStart,
  onGoLiveStop,
  onPresence,
  onReadState,
  onTyping,
  onUserUpdate,
  onVoiceState,
} from "../community/user-events.js";
import { withoutHidden } from "../community/visibility.js";
import { fromDirectMessage } from "../conversations/direct-message.js";
import { onGroupLeave, onGroupUpdate } from "../conversations/groups.js";
import {
  onAttachments,
  onDirectMessageCreate,
  onEventDelete,
  onEventUpdate,
  onMessageCreate,
  onMessageDelete,
  onMessageDeleteBulk,
  onMessagePin,
  onMessagePreviews,
  onMessageUnpin,
  onMessageUpdate,
  onPollVote,
  onReaction,
  onReply,
} from "../conversations/message-events.js";
import { onThread } from "../conversations/threads.js";
import { onSaved } from "../kept/saved.js";
import { mentionsRecounted } from "../notices/unread.js";
import { onBlock, onFriend } from "../people/people.js";
import type { AppState } from "../store/app-state.js";
import { withEntry } from "../store/app-store.js";
import { onReady } from "../store/ready.js";

type Apply<Payload> = (state: AppState, payload: Payload) => AppState;

const serverOf = ({ channels }: AppState, { channel_id }: { channel_id: string }) => channels[channel_id]?.server_id;

/** The change of the state by each event of the gateway; null for events of screens that listen for them themselves. */
export const applyEvent: { readonly [Name in keyof DispatchEvents]: Apply<DispatchEvents[Name]> | null } = {
  READY: onReady,
  RESUMED: (state, { passive }) => ({ ...onResumed(state, passive), connection: "connected" }),
  VIEW_ACK: onViewAck,
  CHANNEL_ACTIVITY: onChannelActivity,
  MESSAGE_CREATE: onMessageCreate,
  MESSAGE_UPDATE: onMessageUpdate,
  MESSAGE_DELETE: onMessageDelete,
  THREAD_MESSAGE_CREATE: onReply,
  REACTION_ADD: (state, event) => onReaction(state, event, 1),
  REACTION_REMOVE: (state, event) => onReaction(state, event, -1),
  MESSAGE_PIN: onMessagePin,
  MESSAGE_UNPIN: onMessageUnpin,
  POLL_VOTE: onPollVote,
  POLL_END: onPollVote,
  TYPING_START: (state, event) => onTyping(state, event, Date.now()),
  PRESENCE_UPDATE: onPresence,
  VOICE_STATE_UPDATE: onVoiceState,
  GO_LIVE_START: onGoLiveStart,
  GO_LIVE_STOP: onGoLiveStop,
  DM_CHANNEL_CREATE: onDmChannel,
  DM_CHANNEL_UPDATE: onGroupUpdate,
  DM_CHANNEL_LEAVE: onGroupLeave,
  DM_MESSAGE_CREATE: onDirectMessageCreate,
  DM_MESSAGE_UPDATE: (state, { author: _, ...edited }) => onMessageUpdate(state, fromDirectMessage(edited)),
  DM_MESSAGE_DELETE: onMessageDelete,
  DM_REACTION_ADD: (state, event) => onReaction(state, event, 1),
  DM_REACTION_REMOVE: (state, event) => onReaction(state, event, -1),
  DM_ATTACHMENT_CREATE: onAttachments,
  MEMBER_KICK: (state, event) => onMemberRemove(state, event, "kick"),
  MEMBER_BAN: (state, event) => onMemberRemove(state, event, "ban"),
  MEMBER_TIMEOUT: (state, event) => onTimeout(state, event, event.expires_at),
  MEMBER_TIMEOUT_REMOVE: (state, event) => onTimeout(state, event, null),
  ROLE_CREATE: onRole,
  ROLE_UPDATE: (state, role) => withoutHidden(onRole(state, role), role.server_id),
  ROLE_DELETE: (state, event) => withoutHidden(onRoleDelete(state, event), event.server_id),
  MEMBER_ROLE_ADD: (state, event) => withoutHidden(onMemberRoleAdd(state, event), event.server_id),
  MEMBER_ROLE_REMOVE: (state, event) => withoutHidden(onMemberRoleRemove(state, event), event.server_id),
  CUSTOM_EMOJI_CREATE: onEmojiCreate,
  CUSTOM_EMOJI_DELETE: onEmojiDelete,
  CHANNEL_OVERRIDE_UPDATE: (state, event) => withoutHidden(onOverride(state, event), serverOf(state, event)),
  SERVER_JOIN: onServerJoin,
  SERVER_LEAVE: onServerLeave,
  // Another owner sees other channels.
  SERVER_UPDATE: (state, server) => withoutHidden(onServerUpdate(state, server), server.id),
  CHANNEL_CREATE: onChannel,
  CHANNEL_UPDATE: onChannel,
  CHANNEL_DELETE: onChannelDelete,
  MEMBER_JOIN: onMemberJoin,
  MEMBER_UPDATE: onMemberUpdate,
  MEMBER_LEAVE: onMemberLeave,
  USER_UPDATE: onUserUpdate,
  FRIEND_UPDATE: onFriend,
  BLOCK_UPDATE: (state, event) => mentionsRecounted(onBlock(state, event), state),
  NOTIFICATIONS_UPDATE: (state, notifications) => ({ ...state, notifications }),
  ATTACHMENT_CREATE: onAttachments,
  MESSAGE_PREVIEWS: onMessagePreviews,
  EVENT_UPDATE: onEventUpdate,
  EVENT_DELETE: onEventDelete,
  SERVER_RAID_START: (state, { server_id, until }) => withEntry(state, "raids", server_id, until),
  REPORT_CREATE: onReport,
  REPORT_UPDATE: onReport,
  SERVER_RAID_END: (state, { server_id }) => withEntry(state, "raids", server_id, null),
  READ_STATE_UPDATE: onReadState,
  INBOX_UPDATE: (state, { unread }) => ({ ...state, inbox: unread }),
  SAVED_UPDATE: onSaved,
  THREAD_UPDATE: onThread,
  MESSAGE_DELETE_BULK: onMessageDeleteBulk,
  COMMANDS_UPDATE: (state, { server_id }) => withoutCommands(state, server_id),
  // Drafts are on the device, too (`drafts.ts`), and the lists of the others listen for changes themselves.
  DRAFT_UPDATE: null,
  REMINDER_UPDATE: null,
  SCHEDULED_MESSAGE_UPDATE: null,
  // Only connections that name these get them.
  EVENT_INTEREST_ADD: null,
  EVENT_INTEREST_REMOVE: null,
  POLL_VOTE_ADD: null,
  POLL_VOTE_REMOVE: null,
  THREAD_START: null,
  AUDIT_LOG_ENTRY_CREATE: null,
  // The call listens for signals, the settings and the moderation screen for changes of their content, and requests to
  // a bot for the answer.
  SERVER_SETTINGS_UPDATE: null,
  INTERACTION_CREATE: null,
  INTERACTION_UPDATE: null,
  VOICE_SIGNAL: null,
  VOICE_MOVE: null,
  INVITE_CREATE: null,
  INVITE_DELETE: null,
  MEMBER_UNBAN: null,
  CHANNEL_OVERRIDE_DELETE: (state, event) => withoutHidden(onOverrideDelete(state, event), serverOf(state, event)),
};
