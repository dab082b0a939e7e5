import type { Ban } from "@parley/client";
import { useCallback, useState } from "react";
import { useApp } from "../../state/app/use-app.js";
import { useGatewayEvent } from "../../state/app/use-gateway-event.js";
import { texts } from "../../texts/texts.js";
import { ErrorNote } from "../../ui/data/async-content.js";
import { useAction } from "../../ui/data/use-action.js";
import { useData } from "../../ui/data/use-data.js";
import { AsyncRows } from "../../ui/lists/async-rows.js";
import { Row } from "../../ui/lists/rows.js";
import { Button } from "../../ui/look/button.js";
import { showTime } from "../../ui/look/show.js";
import { UserName } from "../profile/user-name.js";
import type { ServerSectionProps } from "./section-props.js";

/** Bans shown at first and added by each request for more: the name of each is read by itself. */
const pageSize = 25;

/** The banned users, with the reasons. */
export function BansSection({ server }: ServerSectionProps) {
  const { client } = useApp();
  const labels = texts.serverSettings.bans;
  const bans = useData(useCallback((signal) => client.moderation.bans(server.id, { signal }), [client, server.id]));
  useGatewayEvent("MEMBER_BAN", ({ server_id, user_id, reason, banned_by = null, created_at = "", expires_at }) => {
    if (server_id !== server.id) return;
    const ban = { server_id, user_id, reason, banned_by, created_at, ...(expires_at ? { expires_at } : {}) };
    bans.set((all) => [ban, ...all.filter((known) => known.user_id !== user_id)]);
  });
  useGatewayEvent("MEMBER_UNBAN", ({ server_id, user_id }) => {
    if (server_id === server.id) bans.set((all) => all.filter((ban) => ban.user_id !== user_id));
  });
  const unban = useAction((userId: string) => client.moderation.unban(server.id, userId));
  const [shown, setShown] = useState(pageSize);
  const more = useAction(async () => setShown((before) => before + pageSize));
  const all = bans.value ?? [];
  return (
    <>
      <ErrorNote error={unban.error} />
      <AsyncRows
        data={{ ...bans, value: bans.value?.slice(0, shown) ?? null }}
        label={labels.title}
        empty={labels.none}
        {...(all.length > shown ? { more: { label: labels.more, pageSize, action: more } } : {})}
      >
        {(ban) => (
          <Row
            key={ban.user_id}
            title={<UserName userId={ban.user_id} />}
            detail={detailOf(ban)}
            actions={
              <Button kind="quiet" disabled={unban.isBusy} onClick={() => unban.run(ban.user_id)}>
                {labels.unban}
              </Button>
            }
          />
        )}
      </AsyncRows>
    </>
  );
}

function detailOf({ reason, created_at, expires_at }: Ban): string {
  const labels = texts.serverSettings.bans;
  const until = expires_at === undefined ? [] : [labels.until(showTime(expires_at))];
  return [reason ?? labels.noReason, showTime(created_at), ...until].join(" · ");
}
