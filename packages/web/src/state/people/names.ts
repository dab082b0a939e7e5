import type { AppState } from "../store/app-state.js";
import { isBotName, type Named, shownName } from "./bot-name.js";

/**
 * How an account is called: by its display name, otherwise by its username; a bot by the name that its commands have, which changes when it is
 * renamed, and without commands by the first part of its username.
 */
export function accountName({ commands, profiles }: AppState, account: Named & { id: string }): string {
  const { id, username, display_name = profiles[id]?.display_name } = account;
  if (display_name !== undefined || !isBotName(username)) return display_name ?? username;
  for (const bots of Object.values(commands)) {
    const bot = bots?.find(({ bot_user_id }) => bot_user_id === id);
    if (bot !== undefined) return bot.name;
  }
  return shownName(username);
}

/**
 * How somebody is called: by their nickname in the server, otherwise as everywhere. Undefined while the page knows
 * neither, and for deleted accounts.
 *
 * @param serverId null outside of servers
 */
export function nameIn(state: AppState, serverId: string | null, userId: string): string | undefined {
  const member = serverId === null ? undefined : state.members[serverId]?.[userId];
  const author = serverId === null ? undefined : state.authors[serverId]?.[userId];
  const username = member?.username ?? state.profiles[userId]?.username;
  return (
    (member ?? author)?.nickname ?? (username === undefined ? undefined : accountName(state, { id: userId, username }))
  );
}
