import type { Member, Role } from "@parley/client";
import { personName } from "../../state/people/bot-name.js";
import type { Presence } from "../../state/store/app-state.js";
import { texts } from "../../texts/texts.js";

/** A row of the member list. */
export type MemberRow = { kind: "title"; key: string; text: string } | { kind: "member"; key: string; member: Member };

/** A server with up to this many members is read at once and shown in the order of names. */
const namedMax = 200;

/**
 * Members by name; in a large server by the time of joining, which is the order in which they are read. Members that
 * are read later are then added below, so that no row moves while the user scrolls.
 */
export function inListOrder(members: readonly Member[], total: number | undefined): Member[] {
  if ((total ?? members.length) <= namedMax) {
    return members.toSorted((a, b) => shownIn(a).localeCompare(shownIn(b)));
  }
  return members.toSorted((a, b) => compare(a.joined_at, b.joined_at) || compare(a.user_id, b.user_id));
}

const shownIn = (member: Member): string => member.nickname ?? personName(member);
const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** Online members by their highest role, then those without a role, then offline members, each in their order. */
export function memberRows(
  members: readonly Member[],
  presence: Readonly<Record<string, Presence>>,
  roles: readonly Role[],
  counts: { total: number; online: number } | undefined,
): MemberRow[] {
  const isOnline = ({ user_id }: Member) => (presence[user_id]?.status ?? "offline") !== "offline";
  const online = members.filter(isOnline);
  const offline = members.filter((member) => !isOnline(member));
  const groups = roles
    .map((role) => ({ role, list: online.filter((member) => member.roles[0]?.id === role.id) }))
    .filter(({ list }) => list.length > 0);
  const plain = online.filter((member) => !roles.some(({ id }) => id === member.roles[0]?.id));
  // Members are read on scrolling, but the count is of all.
  const offlineCount = Math.max(
    offline.length,
    counts === undefined ? 0 : counts.total - Math.max(online.length, counts.online),
  );
  const labels = texts.shell;
  return [
    ...groups.flatMap(({ role, list }) => section(role.id, labels.membersOfRole(role.name, list.length), list)),
    ...section("online", labels.membersOnline(Math.max(plain.length, onlineOf(counts, online, plain))), plain),
    ...section("offline", labels.membersOffline(offlineCount), offline),
  ];
}

/** Number of online members without a role, from the count of all online members. */
function onlineOf(counts: { online: number } | undefined, online: readonly Member[], plain: readonly Member[]): number {
  return counts === undefined ? plain.length : counts.online - (online.length - plain.length);
}

function section(key: string, text: string, members: readonly Member[]): MemberRow[] {
  if (members.length === 0) return [];
  return [
    { kind: "title", key, text },
    ...members.map((member): MemberRow => ({ kind: "member", key: member.user_id, member })),
  ];
}
