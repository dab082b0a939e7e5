import type { InstanceSettings } from "@parley/client";
import { quotaDefaults } from "@parley/contracts";
import { useCallback, useState } from "react";
import { useApp } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { AsyncContent, ErrorNote } from "../../ui/data/async-content.js";
import { onForm, textOf } from "../../ui/data/form.js";
import { useAction } from "../../ui/data/use-action.js";
import { useData } from "../../ui/data/use-data.js";
import { Choice } from "../../ui/forms/field.js";
import { Panel } from "../../ui/forms/settings-page.js";
import { Button } from "../../ui/look/button.js";
import { useFollowedFields } from "../../ui/page/use-followed-fields.js";
import { GigabytesField, gigabytesIn } from "./gigabytes-field.js";

const kinds = ["listed", "any"] as const;

/** How many bytes files may take, and which kinds of them people may send. */
export function StorageSection() {
  const { client } = useApp();
  const settings = useData(useCallback((signal) => client.admin.settings({ signal }), [client]));
  return (
    <AsyncContent data={settings}>
      {(current) => <StorageForm settings={current} onSaved={(changed) => settings.set(() => changed)} />}
    </AsyncContent>
  );
}

function StorageForm({
  settings: { quota = {}, files = "listed" },
  onSaved,
}: {
  settings: InstanceSettings;
  onSaved: (settings: InstanceSettings) => void;
}) {
  const { client } = useApp();
  const labels = texts.administration.storage;
  const [isSaved, setSaved] = useState(false);
  const fields = useFollowedFields();
  const save = useAction(async (form: FormData) => {
    const of = (scope: keyof typeof quotaDefaults) => gigabytesIn(form, scope);
    onSaved(
      await client.admin.updateSettings({
        quota: { account: of("account"), server: of("server"), installation: of("installation") },
        files: kinds.find((kind) => kind === textOf(form, "files")) ?? "listed",
      }),
    );
    setSaved(true);
  });
  // A quota stands in the settings only where it differs from its default, and null is none.
  const { account, server, installation } = { ...quotaDefaults, ...quota };
  return (
    <form ref={fields} onSubmit={onForm((form) => save.run(form))} onChange={() => setSaved(false)}>
      <Panel title={labels.quotas} hint={labels.quotasHint}>
        <GigabytesField label={labels.account} hint={labels.accountHint} name="account" bytes={account} />
        <GigabytesField label={labels.server} hint={labels.serverHint} name="server" bytes={server} />
        <GigabytesField label={labels.installation} name="installation" bytes={installation} />
      </Panel>
      <Panel title={labels.kinds} hint={labels.kindsHint}>
        <Choice label={labels.kinds} name="files" defaultValue={files} data-initial={files}>
          {kinds.map((kind) => (
            <option key={kind} value={kind}>
              {labels[kind]}
            </option>
          ))}
        </Choice>
      </Panel>
      <ErrorNote error={save.error} />
      <Button type="submit" disabled={save.isBusy}>
        {texts.common.save}
      </Button>
      <output>{isSaved ? texts.administration.registration.saved : ""}</output>
    </form>
  );
}
