import type { Bot, BotProfile } from "@parley/client";
import { useCallback } from "react";
import { useApp } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { AsyncContent } from "../../ui/data/async-content.js";
import { textOrNull } from "../../ui/data/form.js";
import { useData } from "../../ui/data/use-data.js";
import { EditForm } from "../../ui/forms/edit-form.js";
import { Checkbox, TextField } from "../../ui/forms/field.js";
import { Secret } from "../../ui/look/secret.js";
import { Dialog } from "../../ui/overlays/dialog.js";
import { PermissionBoxes, permissionsOf } from "../server-settings/role-boxes.js";

interface Settings {
  bot: Bot;
  /** Gets the bot as it was saved, and the secret of a new URL, which is shown once. */
  onSaved: (bot: Bot, secret: string | null) => void;
  onClose: () => void;
}

/**
 * How others add a bot: whether they may, the permissions that it asks for, and the link; and the URL for its
 * interactions.
 */
export function BotSettings(props: Settings) {
  const { id, name } = props.bot;
  const { client } = useApp();
  const labels = texts.account.bots;
  const profile = useData(useCallback((signal: AbortSignal) => client.bots.profile(id, { signal }), [client, id]));
  return (
    <Dialog open onOpenChange={props.onClose} title={labels.settingsOf(name)} wide>
      <AsyncContent data={profile}>{(profile) => <SettingsForm {...props} profile={profile} />}</AsyncContent>
    </Dialog>
  );
}

function SettingsForm({ bot, profile, onSaved, onClose }: Settings & { profile: BotProfile }) {
  const { id, is_public, requested_permissions, command_count, server_count } = profile;
  const { interactions_url = null } = bot;
  const { client } = useApp();
  const labels = texts.account.bots;
  return (
    <EditForm
      onClose={onClose}
      onSave={async (form) => {
        const url = textOrNull(form, "url");
        const { interactions_secret = null, ...saved } = await client.bots.update(id, {
          is_public: form.has("public"),
          requested_permissions: permissionsOf(form),
          // Each URL that is sent makes a new secret.
          ...(url === interactions_url ? {} : { interactions_url: url }),
        });
        onSaved(saved, interactions_secret);
      }}
    >
      <p>{labels.usedBy(texts.apps.add.commands(command_count), texts.apps.add.servers(server_count))}</p>
      <Checkbox label={labels.public} hint={labels.publicHint} name="public" defaultChecked={is_public} />
      <Secret label={labels.link} hint={labels.linkHint} value={`${location.origin}/app/add-bot/${id}`} />
      <p>{labels.requestedHint}</p>
      <PermissionBoxes permissions={requested_permissions} />
      <TextField label={labels.url} hint={labels.urlHint} name="url" type="url" defaultValue={interactions_url ?? ""} />
    </EditForm>
  );
}
