import type { RawServer } from "@parley/client";
import { useState } from "react";
import { useApp } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { ErrorNote } from "../../ui/data/async-content.js";
import { onForm, textOf } from "../../ui/data/form.js";
import { useAction } from "../../ui/data/use-action.js";
import { DownloadPanel } from "../../ui/forms/download-panel.js";
import { Checkbox, TextField } from "../../ui/forms/field.js";
import { PictureField } from "../../ui/forms/picture-field.js";
import { Panel } from "../../ui/forms/settings-page.js";
import { Button } from "../../ui/look/button.js";
import { ConfirmButton } from "../../ui/overlays/confirm.js";
import { useFollowedFields } from "../../ui/page/use-followed-fields.js";
import { FacePanel } from "./face.js";
import { HandOverPanel } from "./hand-over.js";
import { RetentionPanel } from "./retention.js";
import type { ServerSectionProps } from "./section-props.js";

/** Description of the server; for its owner also changes, retention, export, handing over and deletion. */
export function OverviewSection({ server, isOwner }: ServerSectionProps) {
  const { client } = useApp();
  const labels = texts.serverSettings.overview;
  if (!isOwner) {
    return (
      <Panel title={labels.leave} hint={labels.leaveExplanation}>
        <ConfirmButton
          label={labels.leave}
          title={labels.leaveTitle(server.name)}
          explanation={labels.leaveExplanation}
          onConfirm={() => client.servers.leave(server.id)}
        />
      </Panel>
    );
  }
  return (
    <>
      <ServerForm server={server} />
      <FacePanel server={server} />
      <RetentionPanel serverId={server.id} />
      <ExportPanel server={server} />
      <HandOverPanel server={server} />
      <DeletionPanel server={server} />
    </>
  );
}

function ServerForm({ server }: { server: RawServer }) {
  const { client } = useApp();
  const labels = texts.serverSettings.overview;
  const [isSaved, setSaved] = useState(false);
  const fields = useFollowedFields();
  const save = useAction(async (form: FormData) => {
    const demands = form.has("require_second_factor");
    await client.servers.update(server.id, {
      name: textOf(form, "name"),
      is_public: form.has("is_public"),
      require_invite: form.has("require_invite"),
      hierarchy: form.has("hierarchy"),
      // The server refuses to demand it again of an owner who has lost the own one.
      ...(demands === (server.require_second_factor === true) ? {} : { require_second_factor: demands }),
    });
    setSaved(true);
  });
  return (
    <Panel title={labels.general}>
      <PictureField
        name={server.name}
        url={server.icon_url}
        serverId={server.id}
        onUse={(form) => client.servers.setIcon(server.id, form)}
        onRemove={() => client.servers.removeIcon(server.id)}
      />
      <form ref={fields} onSubmit={onForm((form) => save.run(form))} onChange={() => setSaved(false)}>
        <TextField label={labels.name} name="name" maxLength={100} defaultValue={server.name} required />
        <Checkbox label={labels.public} name="is_public" defaultChecked={server.is_public} />
        <Checkbox label={labels.requireInvite} name="require_invite" defaultChecked={server.require_invite} />
        <Checkbox
          label={labels.hierarchy}
          hint={labels.hierarchyHint}
          name="hierarchy"
          defaultChecked={server.hierarchy === true}
        />
        <Checkbox
          label={texts.serverSettings.face.factor}
          hint={texts.serverSettings.face.factorHint}
          name="require_second_factor"
          defaultChecked={server.require_second_factor === true}
        />
        <ErrorNote error={save.error} />
        <Button type="submit" disabled={save.isBusy}>
          {texts.common.save}
        </Button>
        <output>{isSaved ? ` ${labels.saved}` : ""}</output>
      </form>
    </Panel>
  );
}

function ExportPanel({ server }: { server: RawServer }) {
  const { client } = useApp();
  const labels = texts.serverSettings.overview;
  return (
    <DownloadPanel
      title={labels.export}
      explanation={labels.exportExplanation}
      button={labels.exportButton}
      filename={`${server.name}.zip`}
      read={() => client.servers.export(server.id)}
    />
  );
}

function DeletionPanel({ server }: { server: RawServer }) {
  const { servers } = useApp();
  const labels = texts.serverSettings.overview;
  const [typed, setTyped] = useState("");
  return (
    <Panel title={labels.delete} hint={labels.deleteExplanation} tone="danger">
      <ConfirmButton
        label={labels.delete}
        title={labels.deleteTitle(server.name)}
        explanation={labels.deleteExplanation}
        isReady={typed === server.name}
        onConfirm={() => servers.delete(server.id)}
      >
        <TextField
          label={labels.deleteConfirm}
          value={typed}
          autoComplete="off"
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </ConfirmButton>
    </Panel>
  );
}
