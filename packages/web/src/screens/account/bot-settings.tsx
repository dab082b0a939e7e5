import type { Bot, BotProfile } from "@parley/client";
import { useCallback } from "react";
import { useApp } from "../../state/use-app.js";
import { texts } from "../../texts/texts.js";
import { AsyncContent } from "../../ui/async-content.js";
import { Dialog } from "../../ui/dialog.js";
import { EditForm } from "../../ui/edit-form.js";
import { Checkbox } from "../../ui/field.js";
import { Secret } from "../../ui/secret.js";
import { useData } from "../../ui/use-data.js";
import { PermissionBoxes, permissionsOf } from "../server-settings/role-boxes.js";

/** How others add a bot: whether they may, what it asks for, and the link. */
export function BotSettings({ bot: { id, name }, onClose }: { bot: Bot; onClose: () => void }) {
  const { client } = useApp();
  const labels = texts.account.bots;
  const profile = useData(useCallback((signal: AbortSignal) => client.bots.profile(id, { signal }), [client, id]));
  return (
    <Dialog open onOpenChange={onClose} title={labels.settingsOf(name)} wide>
      <AsyncContent data={profile}>{(value) => <SettingsForm bot={value} onClose={onClose} />}</AsyncContent>
    </Dialog>
  );
}

function SettingsForm({
  bot: { id, is_public, requested_permissions, command_count, server_count },
  onClose,
}: {
  bot: BotProfile;
  onClose: () => void;
}) {
  const { client } = useApp();
  const labels = texts.account.bots;
  return (
    <EditForm
      onClose={onClose}
      onSave={(form) =>
        client.bots.update(id, { is_public: form.has("public"), requested_permissions: permissionsOf(form) })
      }
    >
      <p>{labels.usedBy(texts.apps.add.commands(command_count), texts.apps.add.servers(server_count))}</p>
      <Checkbox label={labels.public} hint={labels.publicHint} name="public" defaultChecked={is_public} />
      <Secret label={labels.link} hint={labels.linkHint} value={`${location.origin}/app/add-bot/${id}`} />
      <p>{labels.requestedHint}</p>
      <PermissionBoxes permissions={requested_permissions} />
    </EditForm>
  );
}
