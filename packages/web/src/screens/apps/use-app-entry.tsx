import { Bot } from "lucide-react";
import { useApp, useAppState } from "../../state/app/use-app.js";
import { errorText } from "../../texts/error-text.js";
import { texts } from "../../texts/texts.js";
import type { Submenu } from "../../ui/overlays/menu.js";
import { useNotice } from "../../ui/page/notice.js";
import { type ChosenCommand, noBots } from "./use-commands.js";

/**
 * The commands of a channel's bots about a message or a user, for its menu; null when there are none, or while they are
 * not read.
 */
export function useAppEntry(context: "message" | "user", targetId: string, channelId: string | null): Submenu | null {
  const { interactions } = useApp();
  const say = useNotice((notice) => notice.show);
  const bots = useAppState(({ commands }) => (channelId === null ? undefined : commands[channelId])) ?? noBots;
  const found = bots.flatMap((bot) =>
    bot.commands.filter((command) => command.context === context).map((command) => ({ bot, command })),
  );
  if (channelId === null || found.length === 0) return null;
  const use = async ({ bot: { bot_user_id: botUserId }, command: { id, name } }: ChosenCommand) => {
    const body = { bot_user_id: botUserId, command_id: id, options: {}, target_id: targetId };
    await interactions.ask({ channelId, botUserId, name, pressed: null, body });
  };
  return {
    label: texts.apps.entry,
    icon: <Bot size={16} aria-hidden />,
    items: found.map((chosen) => ({
      label: texts.apps.entryOf(chosen.command.name, chosen.bot.name),
      onSelect: () => void use(chosen).catch((error) => say(errorText(error))),
    })),
  };
}
