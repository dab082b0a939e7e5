import type { ServerTemplate } from "@parley/client";
import { Tabs } from "radix-ui";
import { useCallback, useEffect, useState } from "react";
import { useLocation } from "wouter";
import { useApp } from "../../state/app/use-app.js";
import { useFirstSteps } from "../../state/community/first-steps.js";
import { texts } from "../../texts/texts.js";
import { ErrorNote } from "../../ui/data/async-content.js";
import { onForm, textOf } from "../../ui/data/form.js";
import { useAction } from "../../ui/data/use-action.js";
import { Checkbox, Choice, TextField } from "../../ui/forms/field.js";
import { Button } from "../../ui/look/button.js";
import { Actions, Dialog } from "../../ui/overlays/dialog.js";
import styles from "./add-server.module.css";
import { inviteCodeOf } from "./invite-code.js";

/** Creates a server, or joins one with an invite. */
export function AddServerDialog({ onClose }: { onClose: () => void }) {
  const labels = texts.shell;
  return (
    <Dialog open onOpenChange={onClose} title={labels.addServer}>
      <Tabs.Root defaultValue="create">
        <Tabs.List className={styles.tabs} aria-label={labels.addServer}>
          <Tabs.Trigger className={styles.tab} value="create">
            {labels.create.tab}
          </Tabs.Trigger>
          <Tabs.Trigger className={styles.tab} value="join">
            {labels.join.tab}
          </Tabs.Trigger>
        </Tabs.List>
        <Tabs.Content value="create">
          <CreateForm onDone={onClose} />
        </Tabs.Content>
        <Tabs.Content value="join">
          <JoinForm onDone={onClose} />
        </Tabs.Content>
      </Tabs.Root>
    </Dialog>
  );
}

function CreateForm({ onDone }: { onDone: () => void }) {
  const labels = texts.shell.create;
  const { client, servers } = useApp();
  const [, navigate] = useLocation();
  const begin = useFirstSteps((steps) => steps.begin);
  const [templates, setTemplates] = useState<readonly ServerTemplate[]>([]);
  useEffect(() => {
    // If the templates cannot be read, a server can be created without one.
    client.servers.templates().then(setTemplates, () => undefined);
  }, [client]);
  const create = useAction(
    useCallback(
      async (form: FormData) => {
        const template = textOf(form, "template");
        const id = await servers.create({
          name: textOf(form, "name"),
          is_public: form.has("is_public"),
          template_id: template === "" ? null : template,
        });
        if (template === "") await servers.createChannel(id, { name: labels.firstChannel });
        begin(id, "owner");
        onDone();
        navigate(`/servers/${id}`);
      },
      [servers, begin, onDone, navigate, labels],
    ),
  );
  return (
    <form onSubmit={onForm(create.run)}>
      <TextField label={labels.name} name="name" required maxLength={100} autoFocus />
      <Choice label={labels.template} name="template" defaultValue="">
        <option value="">{labels.blank}</option>
        {templates
          .filter(({ channels }) => channels.length > 0)
          .map(({ id, name, description }) => (
            <option key={id} value={id}>
              {name} – {description}
            </option>
          ))}
      </Choice>
      <Checkbox label={labels.isPublic} name="is_public" />
      <ErrorNote error={create.error} />
      <Actions>
        <Button type="submit" disabled={create.isBusy}>
          {labels.submit}
        </Button>
      </Actions>
    </form>
  );
}

function JoinForm({ onDone }: { onDone: () => void }) {
  const labels = texts.shell.join;
  const [, navigate] = useLocation();
  const [error, setError] = useState<string | null>(null);
  const look = (form: FormData) => {
    const code = inviteCodeOf(textOf(form, "code"));
    if (code === null) return setError(labels.invalid);
    onDone();
    navigate(`/invite/${code}`);
  };
  return (
    <form onSubmit={onForm(look)}>
      <TextField label={labels.code} name="code" required error={error} />
      <Actions>
        <Button type="submit">{labels.submit}</Button>
      </Actions>
    </form>
  );
}
