import { useCallback } from "react";
import { holdsRight } from "../../state/access/permissions.js";
import { useApp, useAppState } from "../../state/app/use-app.js";
import { useRead } from "../../state/app/use-read.js";
import { texts } from "../../texts/texts.js";
import { Badge } from "../../ui/look/badge.js";

/** How many reports of a server are open; 0 for users who do not review them, and until they are read. */
export const useOpenReports = (serverId: string): number =>
  useAppState((state) =>
    holdsRight(state, serverId, "review_reports") ? (state.openReports[serverId]?.length ?? 0) : 0,
  );

/** {@link useOpenReports}, which it reads for those who review them. */
export function useReadReports(serverId: string): number {
  const { safety } = useApp();
  const reviews = useAppState((state) => holdsRight(state, serverId, "review_reports"));
  useRead(useCallback(async () => reviews && safety.readReports(serverId), [safety, serverId, reviews]));
  return useOpenReports(serverId);
}

/** The number of open reports. */
export function ReportsBadge({ count }: { count: number }) {
  return <Badge count={count} label={texts.moderation.open(count)} />;
}
