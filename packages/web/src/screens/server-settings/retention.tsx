import { useCallback, useState } from "react";
import { useApp } from "../../state/app/use-app.js";
import { useSettingsUpdates } from "../../state/app/use-settings-updates.js";
import { texts } from "../../texts/texts.js";
import { AsyncContent, ErrorNote } from "../../ui/data/async-content.js";
import { numberOrNull, onForm } from "../../ui/data/form.js";
import { useAction } from "../../ui/data/use-action.js";
import { useData } from "../../ui/data/use-data.js";
import { TextField } from "../../ui/forms/field.js";
import { Panel } from "../../ui/forms/settings-page.js";
import { Button } from "../../ui/look/button.js";
import { ConfirmDialog } from "../../ui/overlays/confirm.js";
import { useFollowedFields } from "../../ui/page/use-followed-fields.js";

/** How long messages are kept. A shorter time, which deletes messages, needs a confirmation. */
export function RetentionPanel({ serverId }: { serverId: string }) {
  const { client } = useApp();
  const labels = texts.serverSettings.overview;
  const [asked, ask] = useState<number | null>(null);
  const [isSaved, setSaved] = useState(false);
  const retention = useData(
    useCallback((signal) => client.servers.retention(serverId, { signal }), [client, serverId]),
  );
  useSettingsUpdates(serverId, "retention", retention.reload);
  const fields = useFollowedFields();
  const change = async (days: number | null) => {
    const changed = await client.servers.updateRetention(serverId, { retention_days: days });
    retention.set(() => changed);
    setSaved(true);
  };
  const save = useAction(change);
  return (
    <Panel title={labels.retention}>
      <AsyncContent data={retention}>
        {({ retention_days: before, instance_retention_days: ofInstance }) => (
          <form
            ref={fields}
            onSubmit={onForm((form) => {
              const days = numberOrNull(form, "days");
              const isShorter = days !== null && (before === null || days < before);
              if (isShorter) ask(days);
              else void save.run(days);
            })}
            onChange={() => setSaved(false)}
          >
            <TextField
              label={labels.retentionDays}
              name="days"
              type="number"
              min={1}
              max={3650}
              defaultValue={before ?? ""}
              hint={ofInstance === null ? labels.retentionHint : labels.retentionInstance(ofInstance)}
            />
            <ErrorNote error={save.error} />
            <Button type="submit" kind="quiet" disabled={save.isBusy}>
              {texts.common.save}
            </Button>
            <output>{isSaved ? ` ${labels.saved}` : ""}</output>
          </form>
        )}
      </AsyncContent>
      <ConfirmDialog
        open={asked !== null}
        onOpenChange={() => ask(null)}
        title={labels.retentionTitle(asked ?? 0)}
        explanation={labels.retentionExplanation}
        confirmLabel={labels.retentionConfirm}
        onConfirm={() => change(asked)}
      />
    </Panel>
  );
}
