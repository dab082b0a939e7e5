import type { InstanceSettings } from "@parley/client";
import { useCallback, useState } from "react";
import { useApp } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { AsyncContent, ErrorNote } from "../../ui/data/async-content.js";
import { onForm, textOf } from "../../ui/data/form.js";
import { useAction } from "../../ui/data/use-action.js";
import { useData } from "../../ui/data/use-data.js";
import { Checkbox, TextArea, TextField } from "../../ui/forms/field.js";
import { PictureField } from "../../ui/forms/picture-field.js";
import { Panel } from "../../ui/forms/settings-page.js";
import { Button } from "../../ui/look/button.js";
import { useFollowedFields } from "../../ui/page/use-followed-fields.js";

const writtenPages = ["terms", "privacy", "imprint"] as const;
const nameOf = ({ name = "Parley" }: InstanceSettings) => name;

/** The name, the logo and the pages of the installation. */
export function InstallationSection() {
  const { client } = useApp();
  const settings = useData(useCallback((signal) => client.admin.settings({ signal }), [client]));
  const show = (changed: InstanceSettings) => settings.set(() => changed);
  const labels = texts.administration.installation;
  return (
    <AsyncContent data={settings}>
      {(current) => (
        <>
          <Panel title={labels.logo}>
            <PictureField
              name={nameOf(current)}
              url={current.logo_url ?? null}
              onUse={async (form) => show(await client.admin.setLogo(form))}
              onRemove={async () => {
                await client.admin.removeLogo();
                show(await client.admin.settings());
              }}
            />
          </Panel>
          <InstallationForm settings={current} onSaved={show} />
        </>
      )}
    </AsyncContent>
  );
}

function InstallationForm({
  settings,
  onSaved,
}: {
  settings: InstanceSettings;
  onSaved: (settings: InstanceSettings) => void;
}) {
  const { client } = useApp();
  const labels = texts.administration.installation;
  const [isSaved, setSaved] = useState(false);
  const fields = useFollowedFields();
  const save = useAction(async (form: FormData) => {
    const accent = textOf(form, "accent").trim();
    onSaved(
      await client.admin.updateSettings({
        name: textOf(form, "name"),
        description: textOf(form, "description"),
        contact: textOf(form, "contact"),
        accent: accent === "" ? null : accent,
        terms: textOf(form, "terms"),
        privacy: textOf(form, "privacy"),
        imprint: textOf(form, "imprint"),
        reaccept: form.has("reaccept"),
      }),
    );
    setSaved(true);
  });
  return (
    <Panel title={labels.texts}>
      <form ref={fields} onSubmit={onForm((form) => save.run(form))} onChange={() => setSaved(false)}>
        <TextField label={labels.name} name="name" maxLength={64} defaultValue={nameOf(settings)} required />
        <TextField
          label={labels.description}
          name="description"
          maxLength={300}
          defaultValue={settings.description ?? ""}
        />
        <TextField
          label={labels.contact}
          hint={labels.contactHint}
          name="contact"
          maxLength={200}
          defaultValue={settings.contact ?? ""}
        />
        <TextField
          label={labels.accent}
          hint={labels.accentHint}
          name="accent"
          maxLength={7}
          pattern="#[0-9A-Fa-f]{6}"
          defaultValue={settings.accent ?? ""}
        />
        {writtenPages.map((page) => (
          <TextArea
            key={page}
            label={labels[page]}
            hint={labels.markdown(`/${page}`)}
            name={page}
            rows={5}
            maxLength={50_000}
            defaultValue={settings[page] ?? ""}
          />
        ))}
        <Checkbox label={labels.reaccept} hint={labels.reacceptHint} name="reaccept" />
        <ErrorNote error={save.error} />
        <Button type="submit" disabled={save.isBusy}>
          {texts.common.save}
        </Button>
        <output>{isSaved ? texts.administration.registration.saved : ""}</output>
      </form>
    </Panel>
  );
}
