import { useCallback } from "react";
import { useApp, useAppState } from "../../state/app/use-app.js";
import { useRead } from "../../state/app/use-read.js";
import { texts } from "../../texts/texts.js";
import { Badge } from "../../ui/look/badge.js";

/** How many registrations wait for an administrator, as of when this was shown: no event tells. 0 for others. */
export function useWaitingRegistrations(): number {
  const { client, store } = useApp();
  const isAdmin = useAppState(({ me }) => me?.is_admin === true);
  useRead(
    useCallback(async () => {
      if (!isAdmin) return;
      const { total } = await client.admin.registrations({ limit: 1 });
      store.apply((state) => ({ ...state, waitingRegistrations: total }));
    }, [client, store, isAdmin]),
  );
  return useAppState((state) => (isAdmin ? state.waitingRegistrations : 0));
}

/** The number of waiting registrations. */
export function WaitingBadge({ count }: { count: number }) {
  return <Badge count={count} label={texts.administration.waiting.badge(count)} />;
}
