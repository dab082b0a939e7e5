import type { Safety } from "@parley/client";
import { useCallback, useState } from "react";
import { useApp } from "../../state/app/use-app.js";
import { useSettingsUpdates } from "../../state/app/use-settings-updates.js";
import { texts } from "../../texts/texts.js";
import { AsyncContent, ErrorNote } from "../../ui/data/async-content.js";
import { numberOrNull, onForm, textOf } from "../../ui/data/form.js";
import { useAction } from "../../ui/data/use-action.js";
import { useData } from "../../ui/data/use-data.js";
import { Checkbox, TextArea, TextField } from "../../ui/forms/field.js";
import { Panel } from "../../ui/forms/settings-page.js";
import { Button } from "../../ui/look/button.js";
import { useFollowedFields } from "../../ui/page/use-followed-fields.js";
import { RaidPanel } from "./raid.js";
import type { ServerSectionProps } from "./section-props.js";
import styles from "./server-settings.module.css";

/** The server's conditions for newcomers, its rules, and raids. Only its owner changes the settings. */
export function SafetySection({ server, isOwner, may }: ServerSectionProps) {
  const { client } = useApp();
  const safety = useData(useCallback((signal) => client.safety.get(server.id, { signal }), [client, server.id]));
  useSettingsUpdates(server.id, "moderation", safety.reload);
  return (
    <>
      <RaidPanel serverId={server.id} mayBan={may("BAN_MEMBERS")} />
      <AsyncContent data={safety}>
        {(value) => (
          <SafetyForm
            serverId={server.id}
            safety={value}
            isOwner={isOwner}
            onSaved={(changed) => safety.set(() => changed)}
          />
        )}
      </AsyncContent>
    </>
  );
}

function SafetyForm({
  serverId,
  safety,
  isOwner,
  onSaved,
}: {
  serverId: string;
  safety: Safety;
  isOwner: boolean;
  onSaved: (safety: Safety) => void;
}) {
  const { client } = useApp();
  const labels = texts.serverSettings.safety;
  const [isSaved, setSaved] = useState(false);
  const fields = useFollowedFields();
  const save = useAction(async (form: FormData) => {
    onSaved(
      await client.safety.update(serverId, {
        min_account_age_minutes: numberOrNull(form, "min_account_age_minutes"),
        min_membership_minutes: numberOrNull(form, "min_membership_minutes"),
        require_verified_email: form.has("require_verified_email"),
        rules: textOf(form, "rules"),
        rules_for_all: form.has("rules_for_all"),
        raid_shield: form.has("raid_shield"),
        raid_joins_per_minute: numberOrNull(form, "raid_joins_per_minute"),
        raid_new_accounts_hours: numberOrNull(form, "raid_new_accounts_hours"),
        raid_minutes: numberOrNull(form, "raid_minutes"),
      }),
    );
    setSaved(true);
  });
  const number = (name: keyof typeof numbers) => (
    <TextField
      label={labels[name]}
      name={name}
      type="number"
      required
      {...numbers[name]}
      defaultValue={safety[name]}
      disabled={!isOwner}
    />
  );
  const flag = (name: "require_verified_email" | "rules_for_all" | "raid_shield") => (
    <Checkbox label={labels[name]} name={name} defaultChecked={safety[name]} disabled={!isOwner} />
  );
  return (
    <form ref={fields} onSubmit={onForm((form) => save.run(form))} onChange={() => setSaved(false)}>
      <Panel title={labels.newcomers} hint={labels.newcomersHint}>
        <div className={styles.columns}>
          {number("min_account_age_minutes")}
          {number("min_membership_minutes")}
        </div>
        {flag("require_verified_email")}
      </Panel>
      <Panel title={labels.rulesTitle} hint={labels.rulesHint}>
        <TextArea
          label={labels.rules}
          name="rules"
          rows={8}
          maxLength={4_000}
          defaultValue={safety.rules ?? ""}
          disabled={!isOwner}
        />
        {flag("rules_for_all")}
      </Panel>
      <Panel title={labels.shield} hint={labels.shieldHint}>
        {flag("raid_shield")}
        <div className={styles.columns}>
          {number("raid_joins_per_minute")}
          {number("raid_new_accounts_hours")}
          {number("raid_minutes")}
        </div>
      </Panel>
      <ErrorNote error={save.error} />
      {isOwner ? (
        <Button type="submit" disabled={save.isBusy}>
          {texts.common.save}
        </Button>
      ) : (
        <p>{labels.ownerOnly}</p>
      )}
      <output>{isSaved ? ` ${labels.saved}` : ""}</output>
    </form>
  );
}

/** Bounds of docs/protocol/moderation.md#24.7. */
const numbers = {
  min_account_age_minutes: { min: 0, max: 525_600 },
  min_membership_minutes: { min: 0, max: 525_600 },
  raid_joins_per_minute: { min: 1, max: 10_000 },
  raid_new_accounts_hours: { min: 1, max: 8_760 },
  raid_minutes: { min: 1, max: 1_440 },
} as const;
