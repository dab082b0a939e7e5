import type { Server } from "@parley/client";
import { useState } from "react";
import { useLocation } from "wouter";
import { useSession } from "../../session/session.js";
import { usePage } from "../../state/use-page.js";
import { texts } from "../../texts/texts.js";
import { ErrorNote } from "../../ui/async-content.js";
import { Button } from "../../ui/button.js";
import { ConfirmButton } from "../../ui/confirm.js";
import { DownloadPanel } from "../../ui/download-panel.js";
import { Checkbox, TextField } from "../../ui/field.js";
import { onForm, textOf, textOrNull } from "../../ui/form.js";
import { Panel } from "../../ui/settings-page.js";
import { useAction } from "../../ui/use-action.js";
import { HandOverPanel } from "./hand-over.js";
import { RetentionPanel } from "./retention.js";
import type { ServerSectionProps } from "./section-props.js";

/** Description of the server; for its owner also changes, retention, export, handing over and deletion. */
export function OverviewSection({
  server,
  isOwner,
  onChange,
}: ServerSectionProps & { onChange: (server: Server) => void }) {
  const { servers } = usePage();
  const [, navigate] = useLocation();
  const names = texts.serverSettings.overview;
  if (!isOwner) {
    return (
      <Panel title={names.leave} hint={names.leaveExplanation}>
        <ConfirmButton
          label={names.leave}
          title={names.leaveTitle(server.name)}
          explanation={names.leaveExplanation}
          onConfirm={async () => {
            await servers.leave(server.id);
            navigate("/");
          }}
        />
      </Panel>
    );
  }
  return (
    <>
      <ServerForm server={server} onChange={onChange} />
      <RetentionPanel serverId={server.id} />
      <ExportPanel server={server} />
      <HandOverPanel server={server} onChange={onChange} />
      <DeletionPanel server={server} />
    </>
  );
}

function ServerForm({ server, onChange }: { server: Server; onChange: (server: Server) => void }) {
  const { client } = useSession();
  const names = texts.serverSettings.overview;
  const [isSaved, setSaved] = useState(false);
  const save = useAction(async (form: FormData) => {
    onChange(
      await client.servers.update(server.id, {
        name: textOf(form, "name"),
        icon_url: textOrNull(form, "icon_url"),
        is_public: form.has("is_public"),
        require_invite: form.has("require_invite"),
      }),
    );
    setSaved(true);
  });
  return (
    <Panel title={names.general}>
      <form onSubmit={onForm((form) => save.run(form))} onChange={() => setSaved(false)}>
        <TextField label={names.name} name="name" maxLength={100} defaultValue={server.name} required />
        <TextField label={names.icon} name="icon_url" type="url" defaultValue={server.icon_url ?? ""} />
        <Checkbox label={names.public} name="is_public" defaultChecked={server.is_public} />
        <Checkbox label={names.requireInvite} name="require_invite" defaultChecked={server.require_invite} />
        <ErrorNote error={save.error} />
        <Button type="submit" disabled={save.isBusy}>
          {texts.common.save}
        </Button>
        <output>{isSaved ? ` ${names.saved}` : ""}</output>
      </form>
    </Panel>
  );
}

function ExportPanel({ server }: { server: Server }) {
  const { client } = useSession();
  const names = texts.serverSettings.overview;
  return (
    <DownloadPanel
      title={names.export}
      explanation={names.exportExplanation}
      button={names.exportButton}
      filename={`${server.name}.zip`}
      read={() => client.servers.export(server.id)}
    />
  );
}

function DeletionPanel({ server }: { server: Server }) {
  const { servers } = usePage();
  const [, navigate] = useLocation();
  const names = texts.serverSettings.overview;
  const [typed, setTyped] = useState("");
  return (
    <Panel title={names.delete} hint={names.deleteExplanation} tone="danger">
      <ConfirmButton
        label={names.delete}
        title={names.deleteTitle(server.name)}
        explanation={names.deleteExplanation}
        isReady={typed === server.name}
        onConfirm={async () => {
          await servers.delete(server.id);
          navigate("/");
        }}
      >
        <TextField
          label={names.deleteConfirm}
          value={typed}
          autoComplete="off"
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </ConfirmButton>
    </Panel>
  );
}
