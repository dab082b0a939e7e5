import type { ChannelOverride } from "@parley/client";
import { type PermissionName, permissionBits } from "@parley/contracts";
import { channelPermissionNames } from "../../state/access/permissions.js";
import { useApp } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { ErrorNote } from "../../ui/data/async-content.js";
import { onForm } from "../../ui/data/form.js";
import { useAction } from "../../ui/data/use-action.js";
import { Choice } from "../../ui/forms/field.js";
import { Button } from "../../ui/look/button.js";
import { Actions } from "../../ui/overlays/dialog.js";
import { useFollowedFields } from "../../ui/page/use-followed-fields.js";
import styles from "./server-settings.module.css";

/** The three states of each permission in one override. */
export function OverrideForm({ override }: { override: ChannelOverride }) {
  const { client } = useApp();
  const labels = texts.serverSettings;
  const fields = useFollowedFields();
  const save = useAction(async (form: FormData) => {
    const bits = (state: string) =>
      channelPermissionNames.reduce(
        (sum, name) => (form.get(name) === state ? sum | permissionBits[name] : sum & ~permissionBits[name]),
        // Permissions that this form does not show stay unchanged.
        state === "allow" ? override.allow : override.deny,
      );
    const { role_id, user_id } = override;
    await client.overrides.put(override.channel_id, {
      ...(role_id === null ? { user_id } : { role_id }),
      allow: bits("allow"),
      deny: bits("deny"),
    });
  });
  const remove = useAction(() => client.overrides.delete(override.channel_id, override.id));
  // A change that reaches the server after the removal would make the override anew.
  const isBusy = save.isBusy || remove.isBusy;
  return (
    <form ref={fields} onSubmit={onForm((form) => save.run(form))}>
      <div className={styles.columns}>
        {channelPermissionNames.map((name) => (
          <Choice
            key={name}
            data-initial={stateOf(override, name)}
            label={labels.permissions[name]}
            name={name}
            defaultValue={stateOf(override, name)}
          >
            <option value="inherit">{labels.channels.inherit}</option>
            <option value="allow">{labels.channels.allow}</option>
            <option value="deny">{labels.channels.deny}</option>
          </Choice>
        ))}
      </div>
      <ErrorNote error={save.error ?? remove.error} />
      <Actions>
        <Button kind="ask" className={styles.apart} disabled={isBusy} onClick={() => remove.run()}>
          {labels.channels.remove}
        </Button>
        <Button type="submit" disabled={isBusy}>
          {texts.common.save}
        </Button>
      </Actions>
    </form>
  );
}

function stateOf(override: ChannelOverride, name: PermissionName): "allow" | "deny" | "inherit" {
  if ((override.allow & permissionBits[name]) !== 0) return "allow";
  return (override.deny & permissionBits[name]) === 0 ? "inherit" : "deny";
}
