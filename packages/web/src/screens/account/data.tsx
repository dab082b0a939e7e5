import { useState } from "react";
import { useSession } from "../../session/session.js";
import { texts } from "../../texts/texts.js";
import { ErrorNote } from "../../ui/async-content.js";
import { Button } from "../../ui/button.js";
import { ConfirmButton } from "../../ui/confirm.js";
import { download } from "../../ui/download.js";
import { TextField } from "../../ui/field.js";
import { Panel } from "../../ui/settings-page.js";
import { useAction } from "../../ui/use-action.js";

/** What the server keeps of the account, and the end of it. */
export function DataSection() {
  const { client } = useSession();
  const names = texts.account.data;
  const [password, setPassword] = useState("");
  const read = useAction(async () => {
    const data = JSON.stringify(await client.users.exportMe(), null, 2);
    download(new Blob([data], { type: "application/json" }), "parley-account.json");
  });
  return (
    <>
      <Panel title={names.export}>
        <p>{names.exportExplanation}</p>
        <ErrorNote error={read.error} />
        <Button kind="quiet" disabled={read.isBusy} onClick={() => read.run()}>
          {names.exportButton}
        </Button>
      </Panel>
      <Panel title={names.delete}>
        <p>{names.deleteExplanation}</p>
        <ConfirmButton
          label={names.delete}
          title={names.delete}
          explanation={names.deleteExplanation}
          onConfirm={async () => {
            await client.users.deleteMe({ password });
            await client.logout();
          }}
        >
          <TextField
            label={names.password}
            type="password"
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
        </ConfirmButton>
      </Panel>
    </>
  );
}
