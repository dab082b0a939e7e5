import type { Message } from "@parley/client";
import { createContext, type ReactNode, useCallback, useMemo } from "react";
import { useApp, useAppState } from "../../../state/app/use-app.js";
import { useRead } from "../../../state/app/use-read.js";
import { useConversation } from "../context.js";

/** Whom a text mentions. */
export interface Mentions {
  userIds: readonly string[];
  everyone: boolean;
}

/** Whom the text around a component mentions; null while no service has said it, for a message that is being sent. */
export const MentionsOfText = createContext<Mentions | null>({ userIds: [], everyone: false });

/** Around the text of a message: only whom the service counts is shown as mentioned (docs/protocol/messages.md#7.1). */
export function MentionsOfMessage({
  message: { mention_user_ids, mention_everyone },
  children,
}: {
  message: Pick<Message, "mention_user_ids" | "mention_everyone">;
  children: ReactNode;
}) {
  const { details } = useApp();
  const { serverId } = useConversation();
  const isAnyUnknown = useAppState(({ members, profiles }) =>
    mention_user_ids.some((id) => members[serverId ?? ""]?.[id] === undefined && profiles[id] === undefined),
  );
  useRead(
    useCallback(async () => {
      if (isAnyUnknown) for (const id of mention_user_ids) await details.readUser(id, serverId);
    }, [details, serverId, isAnyUnknown, mention_user_ids]),
  );
  const mentions = useMemo(
    () => ({ userIds: mention_user_ids, everyone: mention_everyone }),
    [mention_user_ids, mention_everyone],
  );
  return <MentionsOfText value={mentions}>{children}</MentionsOfText>;
}
