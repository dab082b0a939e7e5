import { useAppState } from "../../../state/app/use-app.js";

/** How the emoji of a reaction is called, and the address of its picture; null for characters. */
export function useReactionEmoji(emoji: string, serverId: string | null): { name: string; url: string | null } {
  const custom = useAppState((state) =>
    serverId === null || !emoji.startsWith("c:")
      ? undefined
      : state.emojis[serverId]?.find(({ id }) => id === emoji.slice("c:".length)),
  );
  return custom === undefined ? { name: emoji, url: null } : { name: `:${custom.name}:`, url: custom.url };
}
