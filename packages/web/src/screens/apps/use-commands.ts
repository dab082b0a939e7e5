import type { BotCommands, Command } from "@parley/client";
import { useEffect } from "react";
import { mayUseApps } from "../../state/access/permissions.js";
import { useApp, useAppState } from "../../state/app/use-app.js";

/** A command that somebody is about to use, and the bot that has it. */
export interface ChosenCommand {
  bot: BotCommands;
  command: Command;
}

/** Where there are none, or they are not read. */
export const noBots: readonly BotCommands[] = [];

/** The commands of a channel's bots, read when it is first shown and when they have changed; null for none. */
export function useCommands(channelId: string | null): readonly BotCommands[] {
  const { interactions } = useApp();
  const isAllowed = useAppState((state) => channelId !== null && mayUseApps(state, channelId));
  const commands = useAppState((state) => (channelId === null ? undefined : state.commands[channelId]));
  const isMissing = isAllowed && commands === undefined;
  const connection = useAppState((state) => state.connection);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a failed read is repeated when the connection changes.
  useEffect(() => {
    if (isMissing && channelId !== null) interactions.readCommands(channelId).catch(() => undefined);
  }, [interactions, channelId, isMissing, connection]);
  return isAllowed ? (commands ?? noBots) : noBots;
}
