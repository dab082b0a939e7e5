import { useEffect } from "react";
import { usePage, usePageState } from "../../state/use-page.js";
import { texts } from "../../texts/texts.js";
import { useConversation } from "./context.js";

/** How an author is shown. */
export interface Author {
  name: string;
  avatarUrl: string | null;
  /** Of the highest role. */
  color: string | undefined;
}

/** The author of a message, read when it is not known; null is an account that is gone. */
export function useAuthor(userId: string | null): Author {
  const { details } = usePage();
  const { serverId } = useConversation();
  const member = usePageState((state) =>
    userId === null || serverId === null ? undefined : state.members[serverId]?.[userId],
  );
  const profile = usePageState((state) => (userId === null ? null : state.profiles[userId]));
  const isKnown = serverId === null ? profile !== undefined : member !== undefined || profile === null;
  useEffect(() => {
    if (userId === null || isKnown) return;
    details.readUser(userId, serverId).catch(() => undefined);
  }, [details, userId, serverId, isKnown]);
  return {
    name:
      member?.nickname ??
      member?.username ??
      profile?.username ??
      (profile === null ? texts.conversation.deletedAccount : "…"),
    avatarUrl: member?.avatar_url ?? profile?.avatar_url ?? null,
    color: member?.roles[0]?.color,
  };
}
