import { ParleyError } from "@parley/client";
import { useCallback } from "react";
import { useLocation } from "wouter";
import { errorText } from "../../session/error-text.js";
import { usePage } from "../../state/use-page.js";
import { texts } from "../../texts/texts.js";
import { ErrorNote } from "../../ui/async-content.js";
import { Avatar } from "../../ui/avatar.js";
import { Button } from "../../ui/button.js";
import { useAction } from "../../ui/use-action.js";
import { useData } from "../../ui/use-data.js";
import styles from "./invite.module.css";

/** The server of an invite, with a button to join. */
export function Invite({ code }: { code: string }) {
  const names = texts.shell.invite;
  const { client, servers } = usePage();
  const [, navigate] = useLocation();
  const preview = useData(useCallback((signal) => client.invites.preview(code, { signal }), [client, code]));
  const accept = useAction(
    useCallback(
      async (serverName: string) => {
        const serverId = await servers.acceptInvite(code, serverName);
        navigate(serverId === null ? "/" : `/servers/${serverId}`, { replace: true });
      },
      [servers, code, navigate],
    ),
  );
  const { value, error } = preview;
  return (
    <main className={styles.page}>
      <section className={styles.card}>
        {value === null ? (
          <>
            <p role={error === null ? "status" : "alert"}>{error === null ? texts.common.loading : refusal(error)}</p>
            {error === null || isGone(error) ? null : <Button onClick={preview.reload}>{texts.common.retry}</Button>}
            {error === null ? null : (
              <Button kind={isGone(error) ? "primary" : "quiet"} onClick={() => navigate("/")}>
                {names.toStart}
              </Button>
            )}
          </>
        ) : (
          <>
            <Avatar name={value.server_name} url={value.server_icon_url} size={80} />
            <h1 className={styles.title}>
              <bdi>{names.joinTitle(value.server_name)}</bdi>
            </h1>
            <p className={styles.count}>{names.membersCount(value.member_count)}</p>
            <ErrorNote error={accept.error} />
            <Button disabled={accept.isBusy} className={styles.wide} onClick={() => accept.run(value.server_name)}>
              {names.accept}
            </Button>
            <Button kind="quiet" className={styles.wide} onClick={() => navigate("/")}>
              {texts.common.cancel}
            </Button>
          </>
        )}
      </section>
    </main>
  );
}

const isGone = (error: unknown): boolean => error instanceof ParleyError && error.status === 404;

/** An invite is shown as not usable only if the server answers so, not after other errors. */
const refusal = (error: unknown): string => (isGone(error) ? texts.shell.invite.notUsable : errorText(error));
