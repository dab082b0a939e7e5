import type { InstanceSettings } from "@parley/client";
import { useCallback, useState } from "react";
import { useApp } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { AsyncContent, ErrorNote } from "../../ui/data/async-content.js";
import { useAction } from "../../ui/data/use-action.js";
import { useData } from "../../ui/data/use-data.js";
import { Choice } from "../../ui/forms/field.js";

type Mode = InstanceSettings["registration_mode"];

const modes: readonly Mode[] = ["open", "invite_only", "closed"];

/** The registration mode. */
export function RegistrationSection() {
  const { client } = useApp();
  const labels = texts.administration.registration;
  const [isSaved, setSaved] = useState(false);
  const settings = useData(useCallback((signal) => client.admin.settings({ signal }), [client]));
  const change = useAction(async (mode: Mode) => {
    const changed = await client.admin.updateSettings({ registration_mode: mode });
    settings.set(() => changed);
    setSaved(true);
  });
  return (
    <AsyncContent data={settings}>
      {({ registration_mode }) => (
        <>
          <Choice
            label={labels.mode}
            value={registration_mode}
            disabled={change.isBusy}
            onChange={(event) => {
              const mode = modes.find((name) => name === event.currentTarget.value);
              if (mode !== undefined) void change.run(mode);
            }}
          >
            {modes.map((mode) => (
              <option key={mode} value={mode}>
                {labels[mode]}
              </option>
            ))}
          </Choice>
          <ErrorNote error={change.error} />
          <output>{isSaved ? labels.saved : ""}</output>
        </>
      )}
    </AsyncContent>
  );
}
