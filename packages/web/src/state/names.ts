import type { AppState } from "./app-state.js";
import { shownName } from "./bot-name.js";

/**
 * How somebody is called: by their nickname in the server, otherwise by their username. Undefined while the page knows
 * neither, and for deleted accounts.
 *
 * @param serverId null outside of servers
 */
export function nameIn(state: AppState, serverId: string | null, userId: string): string | undefined {
  const member = serverId === null ? undefined : state.members[serverId]?.[userId];
  const author = serverId === null ? undefined : state.authors[serverId]?.[userId];
  const username = member?.username ?? state.profiles[userId]?.username;
  return (member ?? author)?.nickname ?? (username === undefined ? undefined : shownName(username));
}
