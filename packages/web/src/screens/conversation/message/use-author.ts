import { useCallback } from "react";
import { useApp, useAppState } from "../../../state/app/use-app.js";
import { useRead } from "../../../state/app/use-read.js";
import { isBotName } from "../../../state/people/bot-name.js";
import { accountName } from "../../../state/people/names.js";
import { texts } from "../../../texts/texts.js";
import { useCommands } from "../../apps/use-commands.js";
import { useConversation } from "../context.js";

/** Name, picture and colour of an author. */
export interface Author {
  name: string;
  /** Username of the account; undefined until it is known, and for deleted accounts. */
  username: string | undefined;
  avatarUrl: string | null;
  /** Colour of the highest role. */
  color: string | undefined;
}

/** The author of a message, read from the server unless stored already. `userId` is null for a deleted account. */
export function useAuthor(userId: string | null): Author {
  const { details } = useApp();
  const { place, serverId } = useConversation();
  const member = useAppState((state) =>
    userId === null || serverId === null ? undefined : state.members[serverId]?.[userId],
  );
  const profile = useAppState((state) => (userId === null ? null : state.profiles[userId]));
  const author = useAppState((state) =>
    userId === null || serverId === null ? undefined : state.authors[serverId]?.[userId],
  );
  // Members are read for the colours of their roles only, where there are some: messages come with their authors.
  const hasRoles = useAppState((state) => serverId !== null && (state.roles[serverId]?.length ?? 0) > 0);
  const isNamed = serverId === null ? profile !== undefined : author !== undefined && !hasRoles;
  const isKnown = isNamed || member !== undefined || profile === null;
  useRead(
    useCallback(async () => {
      if (userId !== null && !isKnown) await details.readUser(userId, serverId);
    }, [details, userId, serverId, isKnown]),
  );
  const username = member?.username ?? profile?.username;
  // The given name of a bot comes with its commands.
  useCommands(serverId !== null && username !== undefined && isBotName(username) ? place.id : null);
  const own = useAppState((state) =>
    userId === null || username === undefined ? undefined : accountName(state, { id: userId, username }),
  );
  const unknown = profile === null ? texts.conversation.deletedAccount : "…";
  return {
    name: (member ?? author)?.nickname ?? own ?? unknown,
    username,
    avatarUrl: member?.avatar_url ?? profile?.avatar_url ?? null,
    color: member?.roles[0]?.color,
  };
}
