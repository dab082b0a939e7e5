import { useState } from "react";
import { useApp } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { DownloadPanel } from "../../ui/forms/download-panel.js";
import { TextField } from "../../ui/forms/field.js";
import { Panel } from "../../ui/forms/settings-page.js";
import { ConfirmButton } from "../../ui/overlays/confirm.js";
import { ClaimPanel } from "./claims.js";

/** Export of the account's data, and deletion of the account. */
export function DataSection() {
  const { client, logOut } = useApp();
  const labels = texts.account.data;
  const [password, setPassword] = useState("");
  const read = async () =>
    new Blob([JSON.stringify(await client.users.exportMe(), null, 2)], { type: "application/json" });
  return (
    <>
      <DownloadPanel
        title={labels.export}
        explanation={labels.exportExplanation}
        button={labels.exportButton}
        filename="parley-account.json"
        read={read}
      />
      <ClaimPanel />
      <Panel title={labels.delete} hint={labels.deleteExplanation} tone="danger">
        <ConfirmButton
          label={labels.delete}
          title={labels.delete}
          explanation={labels.deleteExplanation}
          onConfirm={async () => {
            await client.users.deleteMe({ password });
            await logOut();
          }}
        >
          <TextField
            label={labels.password}
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
