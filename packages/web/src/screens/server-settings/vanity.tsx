import type { Invite } from "@parley/client";
import { useState } from "react";
import { useApp } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { ErrorNote } from "../../ui/data/async-content.js";
import { onForm, showSaved, textOf } from "../../ui/data/form.js";
import { useAction } from "../../ui/data/use-action.js";
import { TextField } from "../../ui/forms/field.js";
import { Panel } from "../../ui/forms/settings-page.js";
import { Button } from "../../ui/look/button.js";
import { ConfirmButton } from "../../ui/overlays/confirm.js";
import { useFollowedFields } from "../../ui/page/use-followed-fields.js";

/** The address of the server that its owner chooses, which replaces the one before. */
export function VanityPanel({
  serverId,
  vanity,
  onChange,
}: {
  serverId: string;
  vanity: Invite | null;
  onChange: (vanity: Invite | null) => void;
}) {
  const { client } = useApp();
  const labels = texts.serverSettings.vanity;
  const [isSaved, setSaved] = useState(false);
  const fields = useFollowedFields();
  const save = useAction(async (form: FormData) => {
    const chosen = await client.invites.setVanity(serverId, { code: textOf(form, "code").trim().toLowerCase() });
    showSaved(fields.current, "code", chosen.code);
    onChange(chosen);
    setSaved(true);
  });
  return (
    <Panel title={labels.title} hint={labels.explanation(`${location.origin}/app/invite/`)}>
      <form ref={fields} onSubmit={onForm((form) => save.run(form))} onChange={() => setSaved(false)}>
        <TextField
          label={labels.code}
          hint={labels.codeHint}
          name="code"
          dir="ltr"
          autoCapitalize="none"
          minLength={3}
          maxLength={32}
          required
          defaultValue={vanity?.code ?? ""}
        />
        <ErrorNote error={save.error} />
        <Button type="submit" disabled={save.isBusy}>
          {texts.common.save}
        </Button>
        <output>{isSaved ? ` ${texts.serverSettings.overview.saved}` : ""}</output>
      </form>
      {vanity === null ? null : (
        <ConfirmButton
          label={labels.remove}
          title={labels.removeTitle(vanity.code)}
          explanation={labels.removeExplanation}
          onConfirm={async () => {
            await client.invites.removeVanity(serverId);
            setSaved(false);
            onChange(null);
          }}
        />
      )}
    </Panel>
  );
}
