import type { AnyDmChannel, GroupChannel } from "@parley/client";
import type { AppState, Profile } from "./app-state.js";

/** Whether a conversation is one of several, not of two. */
export const isGroup = (channel: AnyDmChannel): channel is GroupChannel => "type" in channel;

/** The others in a conversation. */
export const peopleOf = (channel: AnyDmChannel): GroupChannel["recipients"] =>
  isGroup(channel) ? channel.recipients : [channel.recipient];

/** What is kept of an account wherever it is shown. */
export const profileOf = ({ id, username, avatar_url, display_name }: Profile): Profile => ({
  id,
  username,
  avatar_url,
  display_name,
});

/** Names, pictures and presence of the others in conversations. */
export function withPeople(state: AppState, channels: readonly AnyDmChannel[]): AppState {
  const profiles: Record<string, Profile | null> = { ...state.profiles };
  const presence = { ...state.presence };
  for (const person of channels.flatMap(peopleOf)) {
    const { id, status, custom_status, activity } = person;
    profiles[id] = profileOf(person);
    presence[id] = { status, custom_status, activity };
  }
  return { ...state, profiles, presence };
}

/** A conversation with another name and picture of a user who may be in it. */
export function withPerson(channel: AnyDmChannel, profile: Profile): AnyDmChannel {
  const renamed = <Person extends Profile>(person: Person): Person =>
    person.id === profile.id ? { ...person, ...profile } : person;
  if (!peopleOf(channel).some(({ id }) => id === profile.id)) return channel;
  const recipient = renamed(channel.recipient);
  return isGroup(channel)
    ? { ...channel, recipient, recipients: channel.recipients.map(renamed) }
    : { ...channel, recipient };
}
