import { useEffect, useMemo, useState } from "react";
import { useLocation } from "wouter";
import { useApp, useAppState } from "../../state/app/use-app.js";
import { accountName } from "../../state/people/names.js";
import type { AppState } from "../../state/store/app-state.js";
import { peopleOf } from "../../state/store/group-people.js";
import { useTargets } from "../quick-switcher/quick-switcher.js";
import { type Completion, completionsOf, type KnownPerson } from "./completions.js";
import { pendingFilter, type SearchChip, type SearchQuery } from "./query.js";

const readMax = 8;
const restMs = 150;

/** Completions of a search; of people, the server that the search is in, or that is open, is asked for more. */
export function useCompletions(query: SearchQuery, recent: readonly SearchQuery[]): Completion[] {
  const targets = useTargets();
  const [path] = useLocation();
  const here = useMemo(() => chipsHere(path, targets), [path, targets]);
  const serverId = [...query.chips, ...here].find(({ name, id }) => name === "server" && id !== null)?.id ?? null;
  const pending = pendingFilter(query.text);
  const isPerson = pending?.name === "from" || pending?.name === "mentions";
  useMembers(isPerson ? serverId : null, (pending?.value ?? "").replace(/^@/, ""));
  const people = usePeople(isPerson);
  const timeZone = useAppState(({ notifications }) => notifications?.timezone) ?? "UTC";
  return useMemo(
    () => completionsOf(query, { targets, people, here, recent, now: new Date(), timeZone }),
    [query, targets, people, here, recent, timeZone],
  );
}

/** The open channel and its server, or the open conversation, as filters. */
function chipsHere(path: string, targets: ReturnType<typeof useTargets>): SearchChip[] {
  const [, serverId, channelId, directId] =
    /^\/(?:servers\/([^/]+)(?:\/channels\/([^/]+))?|dm\/([^/]+))/.exec(path) ?? [];
  const chip = (name: "in" | "server", wanted: string | undefined): SearchChip[] =>
    targets.flatMap(({ id, name: value }) => (id === wanted ? [{ name, value, id }] : []));
  return [...chip("in", channelId ?? directId), ...chip("server", serverId)];
}

/** Reads the members of a server whose names begin with some letters, once the typing rests. */
function useMembers(serverId: string | null, letters: string): void {
  const { members } = useApp();
  const [read, setRead] = useState("");
  useEffect(() => {
    if (serverId === null || read === `${serverId} ${letters}`) return;
    const timer = setTimeout(() => {
      setRead(`${serverId} ${letters}`);
      // People whom the page knows already are there without this request.
      members.list(serverId, { limit: readMax, ...(letters === "" ? {} : { q: letters }) }).catch(() => undefined);
    }, restMs);
    return () => clearTimeout(timer);
  }, [members, serverId, letters, read]);
}

function usePeople(isWanted: boolean): KnownPerson[] {
  const { store } = useApp();
  const members = useAppState((state) => state.members);
  const friends = useAppState((state) => state.friends);
  // biome-ignore lint/correctness/useExhaustiveDependencies: members and friends are read while somebody types.
  return useMemo(() => (isWanted ? knownPeople(store.getState()) : []), [store, isWanted, members, friends]);
}

/** Everybody whom the page knows: members, friends, and the others in conversations. */
function knownPeople(state: AppState): KnownPerson[] {
  const accounts = [
    ...(state.me === null ? [] : [state.me]),
    ...Object.values(state.friends ?? {}).map(({ user }) => user),
    ...state.dmChannels.flatMap(peopleOf),
    ...Object.values(state.members).flatMap((members) =>
      Object.values(members).map(({ user_id: id, ...member }) => ({ id, ...member })),
    ),
  ].map((account): KnownPerson => {
    const nickname = "nickname" in account ? account.nickname : null;
    const { id, username, avatar_url: avatarUrl } = account;
    return { id, username, avatarUrl, name: nickname ?? accountName(state, account) };
  });
  return [...new Map(accounts.map((account) => [account.id, account])).values()];
}
