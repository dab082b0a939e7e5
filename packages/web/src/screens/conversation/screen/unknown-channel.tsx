import { ParleyError } from "@parley/client";
import { useCallback } from "react";
import { useApp } from "../../../state/use-app.js";
import { AsyncContent } from "../../../ui/async-content.js";
import { useData } from "../../../ui/use-data.js";
import { NotFound } from "../../shell/not-found.js";

/** A channel that the page does not have. New channels have no event, so it is read before it counts as missing. */
export function UnknownChannel({ channelId }: { channelId: string }) {
  const { servers } = useApp();
  const reading = useData(
    useCallback(
      () =>
        servers
          .readServerOf(channelId)
          .catch(ignoreUnavailable)
          .then(() => true),
      [servers, channelId],
    ),
  );
  return (
    <AsyncContent data={reading} shape="messages">
      {() => <NotFound />}
    </AsyncContent>
  );
}

/** 400: not an id. 403 and 404: not for the user, or not there. */
function ignoreUnavailable(error: unknown): void {
  if (!(error instanceof ParleyError && [400, 403, 404].includes(error.status))) throw error;
}
