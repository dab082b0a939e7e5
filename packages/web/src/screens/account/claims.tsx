import { useState } from "react";
import { useApp } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { useAction } from "../../ui/data/use-action.js";
import { ActionForm } from "../../ui/forms/action-form.js";
import { TextField } from "../../ui/forms/field.js";
import { Panel } from "../../ui/forms/settings-page.js";

/** "These messages are mine": the code that an administrator made for somebody of an archive. */
export function ClaimPanel() {
  const { client } = useApp();
  const labels = texts.imports;
  const [claimed, setClaimed] = useState("");
  const claim = useAction(async (form: FormData) => {
    const { person, messages } = await client.users.claim({ code: String(form.get("code") ?? "").trim() });
    setClaimed(labels.claimDone(person, messages));
  });
  return (
    <Panel title={labels.claimTitle} hint={labels.claimHint}>
      <ActionForm action={claim} submit={labels.claim} kind="quiet">
        <TextField label={labels.code} name="code" required autoComplete="off" />
      </ActionForm>
      <output>{claimed}</output>
    </Panel>
  );
}
