import type { MemberJoinEvent, MemberLeaveEvent, MemberUpdateEvent } from "@parley/client";
import { type AppState, type Profile, without } from "../store/app-state.js";
import type { Change } from "../store/app-store.js";
import { profileOf, withPerson } from "../store/group-people.js";
import { withMembers } from "./user-events.js";

/** MEMBER_JOIN */
export function onMemberJoin(state: AppState, { server_id, member }: MemberJoinEvent): AppState {
  const online = Number(member.status !== "offline");
  const counted = withCounts(state, server_id, { total: 1, online });
  // Members of a server that was not opened yet are read when it is.
  return state.members[server_id] === undefined ? counted : withMembers(counted, server_id, [member]);
}

/** MEMBER_UPDATE: another nickname, name or picture. */
export function onMemberUpdate(state: AppState, { server_id, member }: MemberUpdateEvent): AppState {
  const id = member.user_id;
  const authors = state.authors[server_id];
  const isAuthor = authors?.[id] !== undefined;
  const ofServer = isAuthor ? { ...authors, [id]: { nickname: member.nickname } } : authors;
  const known = ofServer === authors ? state : { ...state, authors: { ...state.authors, [server_id]: ofServer ?? {} } };
  const named = withName(known, { ...member, id });
  if (state.members[server_id]?.[id] === undefined) return named;
  // Presence has an event of its own, which may be newer.
  const { profiles, members } = withMembers(named, server_id, [member]);
  return { ...named, profiles, members };
}

/** {@link onMemberUpdate} for the answer to a request, with the changes since. */
export function memberSince(state: AppState, event: MemberUpdateEvent, since: Change): Partial<AppState> {
  const { members, authors, profiles, dmChannels } = since(onMemberUpdate(state, event));
  return { members, authors, profiles, dmChannels };
}

/** MEMBER_LEAVE */
export function onMemberLeave(state: AppState, { server_id, user_id, reason }: MemberLeaveEvent): AppState {
  // SERVER_LEAVE follows.
  if (user_id === state.me?.id) return state;
  const status = state.presence[user_id]?.status ?? "offline";
  const members = state.members[server_id];
  const left =
    members === undefined
      ? state
      : { ...state, members: { ...state.members, [server_id]: without(members, [user_id]) } };
  const counted = withCounts(left, server_id, { total: -1, online: -Number(status !== "offline") });
  return reason === "account_deleted" ? { ...counted, profiles: { ...counted.profiles, [user_id]: null } } : counted;
}

/** Name and picture of a user, wherever they are shown. */
export function withName(state: AppState, person: Profile): AppState {
  const profile = profileOf(person);
  const { id, username, avatar_url, display_name } = profile;
  const known = state.profiles[id];
  if (known?.username === username && known.avatar_url === avatar_url && known.display_name === display_name)
    return state;
  return {
    ...state,
    profiles: { ...state.profiles, [id]: profile },
    dmChannels: state.dmChannels.map((channel) => withPerson(channel, profile)),
  };
}

function withCounts(state: AppState, serverId: string, change: { total: number; online: number }): AppState {
  const counts = state.memberCounts[serverId];
  if (counts === undefined) return state;
  const changed = { total: counts.total + change.total, online: Math.max(0, counts.online + change.online) };
  return { ...state, memberCounts: { ...state.memberCounts, [serverId]: changed } };
}
