import type { InvitePreview } from "@parley/client";
import { useCallback } from "react";
import { Redirect, useLocation } from "wouter";
import { serverOfInvite } from "../../device/device-storage.js";
import { useApp, useAppState } from "../../state/app/use-app.js";
import { useFirstSteps } from "../../state/community/first-steps.js";
import { isServerOf } from "../../state/community/known-invites.js";
import { texts } from "../../texts/texts.js";
import { ErrorNote } from "../../ui/data/async-content.js";
import { LoadingPage } from "../../ui/data/loading.js";
import { useAction } from "../../ui/data/use-action.js";
import { Button } from "../../ui/look/button.js";
import styles from "./invite.module.css";
import { InviteCard } from "./invite-card.js";

/** The server of an invite, with a button to join; members go on to the server. */
export function Invite({ code }: { code: string }) {
  const labels = texts.invite;
  const { servers } = useApp();
  const [, navigate] = useLocation();
  const begin = useFirstSteps((steps) => steps.begin);
  const known = serverOfInvite(code).read();
  const isRead = useAppState((state) => state.me !== null);
  const joined = useAppState((state) => state.servers);
  const isMember = joined.some(({ id }) => id === known);
  const accept = useAction(
    useCallback(
      async (preview: InvitePreview) => {
        const serverId = await servers.acceptInvite(preview);
        if (serverId !== null) {
          serverOfInvite(code).write(serverId);
          begin(serverId, "member");
        }
        navigate(serverId === null ? "/" : `/servers/${serverId}`, { replace: true });
      },
      [servers, begin, code, navigate],
    ),
  );
  if (isMember) return <Redirect to={`/servers/${known}`} replace />;
  if (known !== null && !isRead) return <LoadingPage />;
  const toStart = (
    <Button className={styles.wide} onClick={() => navigate("/")}>
      {texts.common.toStart}
    </Button>
  );
  return (
    <InviteCard code={code} gone={toStart}>
      {(preview) => (
        <>
          <ErrorNote error={accept.error} />
          <Button disabled={accept.isBusy} className={styles.wide} onClick={() => accept.run(preview)}>
            {joined.some(isServerOf(preview)) ? labels.open : labels.accept}
          </Button>
          <Button kind="quiet" className={styles.wide} onClick={() => navigate("/")}>
            {labels.notNow}
          </Button>
        </>
      )}
    </InviteCard>
  );
}
