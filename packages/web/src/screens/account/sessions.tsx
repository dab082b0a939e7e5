import { useCallback } from "react";
import { useApp } from "../../state/app/use-app.js";
import { deviceLabel } from "../../state/notices/device-label.js";
import { texts } from "../../texts/texts.js";
import { AsyncContent, ErrorNote } from "../../ui/data/async-content.js";
import { useAction } from "../../ui/data/use-action.js";
import { useData } from "../../ui/data/use-data.js";
import { Row, Rows, Tag } from "../../ui/lists/rows.js";
import { Button } from "../../ui/look/button.js";
import { showTime } from "../../ui/look/show.js";

/** The account sessions. */
export function SessionsSection() {
  const { client, logOut } = useApp();
  const labels = texts.account.sessions;
  const sessions = useData(useCallback((signal) => client.auth.sessions({ signal }), [client]));
  const end = useAction(async (id: string) => {
    await client.auth.endSession(id);
    sessions.set((all) => all.filter((session) => session.id !== id));
  });
  const logout = useAction(logOut);
  return (
    <>
      <p>{labels.explanation}</p>
      <AsyncContent data={sessions} shape="rows">
        {(all) => (
          <Rows label={labels.title}>
            {all.map((session) => (
              <Row
                key={session.id}
                title={
                  <>
                    <bdi title={session.user_agent ?? undefined}>
                      {deviceLabel(session.user_agent ?? "") ?? session.user_agent ?? labels.unknown}
                    </bdi>
                    {session.current ? <Tag tone="success">{labels.current}</Tag> : null}
                  </>
                }
                detail={labels.lastUsed(showTime(session.last_used_at))}
                actions={
                  session.current ? (
                    <Button kind="quiet" disabled={logout.isBusy} onClick={() => logout.run()}>
                      {labels.logout}
                    </Button>
                  ) : (
                    <Button kind="quiet" disabled={end.isBusy} onClick={() => end.run(session.id)}>
                      {labels.end}
                    </Button>
                  )
                }
              />
            ))}
          </Rows>
        )}
      </AsyncContent>
      <ErrorNote error={end.error ?? logout.error} />
    </>
  );
}
