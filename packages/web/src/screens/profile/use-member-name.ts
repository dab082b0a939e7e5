import { useCallback } from "react";
import { useApp, useAppState } from "../../state/app/use-app.js";
import { useRead } from "../../state/app/use-read.js";
import { shownName } from "../../state/people/bot-name.js";
import { nameIn } from "../../state/people/names.js";

/**
 * The name of a member whose username is known already. Reads members of whom the page knows nothing else, as they may
 * have a nickname.
 *
 * @param member undefined for nobody, who has no name
 * @param serverId null in direct messages
 */
export function useMemberName(
  member: { userId: string; username: string } | undefined,
  serverId: string | null,
): string {
  const { details } = useApp();
  const userId = member?.userId;
  const name = useAppState((state) => (userId === undefined ? undefined : nameIn(state, serverId, userId)));
  const isKnown = useAppState(
    ({ members, authors }) =>
      userId === undefined ||
      serverId === null ||
      members[serverId]?.[userId] !== undefined ||
      authors[serverId]?.[userId] !== undefined,
  );
  useRead(
    useCallback(async () => {
      if (userId !== undefined && !isKnown) await details.readUser(userId, serverId);
    }, [details, userId, serverId, isKnown]),
  );
  return name ?? shownName(member?.username ?? "");
}
