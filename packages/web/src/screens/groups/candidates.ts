import type { ParleyClient, RawServer } from "@parley/client";
import { useCallback, useMemo } from "react";
import { useApp, useAppState } from "../../state/app/use-app.js";
import type { AppState, Profile } from "../../state/store/app-state.js";
import { peopleOf, profileOf } from "../../state/store/group-people.js";
import { useData } from "../../ui/data/use-data.js";
import { useFriends } from "../relations/use-relation.js";

/** Servers whose members are looked through, and how many are read of each. */
const serversMax = 10;
const membersMax = 20;
const shownMax = 50;

/**
 * Candidates for an invitation: friends, people of other conversations, and members of the user's servers.
 *
 * @param typed a part of their names
 * @param without ids of people who are in the group already
 */
export function useCandidates(typed: string, without: readonly string[]): Profile[] {
  useFriends();
  const { client } = useApp();
  const me = useAppState((state) => state.me?.id);
  const friends = useAppState((state) => state.friends);
  const channels = useAppState((state) => state.dmChannels);
  const blocks = useAppState((state) => state.blocks);
  const servers = useAppState((state) => state.servers);
  const read = useCallback(() => readMembers(client, servers, typed), [client, servers, typed]);
  const { value: members } = useData(read);
  return useMemo(
    () => matching(typed, { me, friends, dmChannels: channels, blocks, members: members ?? [], without }),
    [friends, channels, members, me, blocks, without, typed],
  );
}

/** The people whom the user may ask for friendship, by a part of their names. */
export async function findStrangers(client: ParleyClient, state: AppState, typed: string): Promise<Profile[]> {
  const members = await readMembers(client, state.servers, typed);
  return matching(typed, { ...state, me: state.me?.id, members, without: Object.keys(state.friends ?? {}) });
}

interface Known extends Pick<AppState, "friends" | "dmChannels" | "blocks"> {
  me: string | undefined;
  members: readonly Profile[];
  without: readonly string[];
}

/** Whom a typed text may mean, by name. */
function matching(typed: string, { me, members, without, blocks, ...known }: Known): Profile[] {
  const people = new Map([...peopleKnown(known), ...members].map((person) => [person.id, person]));
  const isWanted = ({ id, username, display_name = "" }: Profile) =>
    id !== me &&
    blocks?.[id] === undefined &&
    !without.includes(id) &&
    [username, display_name].some((name) => name.toLowerCase().includes(typed.toLowerCase()));
  return [...people.values()]
    .filter(isWanted)
    .toSorted((one, other) => (one.username < other.username ? -1 : 1))
    .slice(0, shownMax);
}

function peopleKnown({ friends, dmChannels }: Pick<AppState, "friends" | "dmChannels">): Profile[] {
  const befriended = Object.values(friends ?? {}).flatMap(({ user, state }) => (state === "friends" ? [user] : []));
  return [...befriended, ...dmChannels.flatMap(peopleOf)];
}

/** Members whose names begin with the typed text; a server that cannot be read has none. */
async function readMembers(client: ParleyClient, servers: readonly RawServer[], typed: string): Promise<Profile[]> {
  const query = { limit: membersMax, ...(typed === "" ? {} : { q: typed }) };
  const lists = await Promise.all(
    servers.slice(0, serversMax).map(({ id }) => client.members.list(id, query).catch(() => [])),
  );
  return lists.flat().map((member) => profileOf({ ...member, id: member.user_id }));
}
