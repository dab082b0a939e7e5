import { createEvent, type OutgoingEvent } from "@parley/contracts";
import type { OrderedWith } from "@parley/outbox";
import {
  type Change,
  type GoLiveChange,
  leaveForm,
  toGoLiveSession,
  toVoiceState,
  type VoiceChange,
} from "./change.js";

/**
 * The events that announce a change, in order (docs/protocol/events.md#14.5).
 *
 * @param change for a voice change, `previous` is the channel that was announced last
 */
export function eventsOf(change: Change): OutgoingEvent[] {
  return change.kind === "voice" ? voiceEvents(change) : [goLiveEvent(change)];
}

/** The places of the events of a change. */
export function placesOf(change: Change): OrderedWith[] {
  if (change.kind === "go_live") return [change];
  const channels = [change.previous, change.state].filter((channel) => channel !== null);
  return isMove(change) ? [...channels, { user_id: change.user_id }] : channels;
}

/** Whether a moderator moved the user. */
const isMove = ({ previous, state }: VoiceChange): boolean =>
  state?.moved === true && previous !== null && previous.channel_id !== state.channel_id;

function voiceEvents(change: VoiceChange): OutgoingEvent[] {
  const { user_id, username, previous, state } = change;
  const events: OutgoingEvent[] = [];
  if (state !== null && isMove(change)) {
    const { server_id, channel_id } = state;
    events.push(createEvent("VOICE_MOVE", { user_id }, { server_id, channel_id }));
  }
  if (previous !== null && previous.channel_id !== state?.channel_id) {
    // Within a server, users who may view the new channel get the new state, which replaces the former one at clients.
    const routing = state?.server_id === previous.server_id ? { except_viewers_of: state.channel_id } : {};
    const { server_id, channel_id } = previous;
    events.push(
      createEvent("VOICE_STATE_UPDATE", { server_id, channel_id }, leaveForm({ user_id, username }), routing),
    );
  }
  if (state !== null) {
    const { server_id, channel_id } = state;
    events.push(createEvent("VOICE_STATE_UPDATE", { server_id, channel_id }, toVoiceState(state)));
  }
  return events;
}

function goLiveEvent({ server_id, channel_id, broadcaster_id, session }: GoLiveChange): OutgoingEvent {
  return session === null
    ? createEvent("GO_LIVE_STOP", { server_id, channel_id }, { channel_id, broadcaster_id })
    : createEvent("GO_LIVE_START", { server_id, channel_id }, toGoLiveSession(session));
}
