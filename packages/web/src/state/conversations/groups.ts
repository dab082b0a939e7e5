import type { DmChannelLeaveEvent, GroupChannel } from "@parley/client";
import type { AppState } from "../store/app-state.js";
import { peopleOf, withPeople } from "../store/group-people.js";
import { forgetChannels } from "../store/ready.js";

/** DM_CHANNEL_UPDATE */
export function onGroupUpdate(state: AppState, group: GroupChannel): AppState {
  const known = new Set(
    state.dmChannels
      .filter(({ id }) => id === group.id)
      .flatMap(peopleOf)
      .map(({ id }) => id),
  );
  // Presence of the former members has an event of its own, which may be newer.
  const came = { ...group, recipients: group.recipients.filter(({ id }) => !known.has(id)) };
  const dmChannels = state.dmChannels.map((channel) => (channel.id === group.id ? group : channel));
  return { ...withPeople(state, [came]), dmChannels };
}

/** DM_CHANNEL_LEAVE: of others an update of the group follows. */
export function onGroupLeave(state: AppState, { channel_id, user_id }: DmChannelLeaveEvent): AppState {
  if (user_id !== state.me?.id) return state;
  const kept = forgetChannels(state, [channel_id]);
  return { ...kept, dmChannels: state.dmChannels.filter(({ id }) => id !== channel_id) };
}
