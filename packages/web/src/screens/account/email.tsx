import { useCallback, useState } from "react";
import { useApp } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { AsyncContent, Empty, ErrorNote } from "../../ui/data/async-content.js";
import { useAction } from "../../ui/data/use-action.js";
import { useData } from "../../ui/data/use-data.js";
import { Panel } from "../../ui/forms/settings-page.js";
import { Row, Rows, Tag } from "../../ui/lists/rows.js";
import { Button } from "../../ui/look/button.js";

/** The e-mail address of the account, and its verification. */
export function EmailPanel() {
  const { client } = useApp();
  const labels = texts.account.email;
  const email = useData(useCallback((signal) => client.auth.email({ signal }), [client]));
  const [isSent, setSent] = useState(false);
  const verify = useAction(async () => {
    await client.auth.requestEmailVerification();
    setSent(true);
  });
  return (
    <Panel title={labels.title}>
      <AsyncContent data={email} shape="rows">
        {({ email: address, verified }) =>
          address === null ? (
            <Empty>{labels.none}</Empty>
          ) : (
            <Rows label={labels.title}>
              <Row
                title={
                  <>
                    {address}
                    <Tag tone={verified ? "success" : "plain"}>{verified ? labels.verified : labels.unverified}</Tag>
                  </>
                }
                detail={isSent ? labels.sent : undefined}
                actions={
                  verified ? undefined : (
                    <Button kind="quiet" disabled={verify.isBusy} onClick={() => verify.run()}>
                      {labels.verify}
                    </Button>
                  )
                }
              />
            </Rows>
          )
        }
      </AsyncContent>
      <ErrorNote error={verify.error} />
    </Panel>
  );
}
