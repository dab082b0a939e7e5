import { useMemo } from "react";
import { useApp } from "../../../state/app/use-app.js";
import { useCommands } from "../../apps/use-commands.js";
import { useConversation } from "../context.js";
import type { Suggestion } from "./completion.js";

/** The commands of the channel's bots for a begun name; null where none is begun. Threads have none. */
export function useCommandSuggestions(letters: string | null): Suggestion[] {
  const { store } = useApp();
  const { place, openThread } = useConversation();
  const bots = useCommands(letters !== null && openThread !== null ? place.id : null);
  return useMemo(() => {
    if (letters === null) return [];
    const typed = letters.toLowerCase();
    // The colour of a bot is that of its account.
    const usernameOf = (userId: string) => store.getState().profiles[userId]?.username;
    return bots
      .flatMap((bot) => bot.commands.map((command) => ({ bot, command })))
      .filter(({ command: { name, context } }) => context === "server" && name.includes(typed))
      .toSorted((one, other) => rank(one.command.name, typed) - rank(other.command.name, typed))
      .map(({ bot, command }) => ({
        key: command.id,
        inserted: `/${command.name}`,
        label: `/${command.name} – ${command.description}`,
        note: bot.name,
        avatar: { name: usernameOf(bot.bot_user_id) ?? bot.name, url: bot.avatar_url },
        command: { bot, command },
      }));
  }, [letters, bots, store]);
}

/** Names that begin with the typed text stand first. */
const rank = (name: string, typed: string) => (name.startsWith(typed) ? 0 : 1);
