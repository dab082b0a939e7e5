import type { Message } from "@parley/client";
import { createContext, type ReactNode, useCallback, useMemo } from "react";
import { useApp, useAppState } from "../../../state/app/use-app.js";
import { useRead } from "../../../state/app/use-read.js";
import { useConversation } from "../context.js";

/** Whom a text mentions. */
export interface Mentions {
  userIds: readonly string[];
  roleIds: readonly string[];
  everyone: boolean;
  here: boolean;
}

const nobody: Mentions = { userIds: [], roleIds: [], everyone: false, here: false };

/** Whom the text around a component mentions; null while no service has said it, for a message that is being sent. */
export const MentionsOfText = createContext<Mentions | null>(nobody);

/** Around the text of a message: only whom the service counts is shown as mentioned (docs/protocol/messages.md#7.1). */
export function MentionsOfMessage({
  message: { mention_user_ids, mention_role_ids, mention_everyone, mention_here },
  children,
}: {
  message: Pick<Message, "mention_user_ids" | "mention_role_ids" | "mention_everyone" | "mention_here">;
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
    () => ({
      userIds: mention_user_ids,
      roleIds: mention_role_ids ?? [],
      everyone: mention_everyone,
      here: mention_here === true,
    }),
    [mention_user_ids, mention_role_ids, mention_everyone, mention_here],
  );
  return <MentionsOfText value={mentions}>{children}</MentionsOfText>;
}
