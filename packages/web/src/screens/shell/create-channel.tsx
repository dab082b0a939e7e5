import { useCallback } from "react";
import { useLocation } from "wouter";
import { useApp, useAppState } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { ErrorNote } from "../../ui/data/async-content.js";
import { onForm, textOf } from "../../ui/data/form.js";
import { useAction } from "../../ui/data/use-action.js";
import { Choice, TextField } from "../../ui/forms/field.js";
import { Button } from "../../ui/look/button.js";
import { Actions, Dialog } from "../../ui/overlays/dialog.js";

/** Creates a channel and opens it. */
export function CreateChannelDialog({
  serverId,
  category = null,
  open,
  onOpenChange,
}: {
  serverId: string;
  /** The category that is proposed. */
  category?: string | null;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const labels = texts.shell.channel;
  const { servers } = useApp();
  const channels = useAppState((state) => state.channels);
  const [, navigate] = useLocation();
  const create = useAction(
    useCallback(
      async (form: FormData) => {
        const channel = await servers.createChannel(serverId, {
          name: textOf(form, "name"),
          type: textOf(form, "type") === "voice" ? "voice" : "text",
          category: textOf(form, "category"),
          topic: textOf(form, "topic"),
        });
        onOpenChange(false);
        navigate(`/servers/${serverId}/channels/${channel.id}`);
      },
      [servers, serverId, onOpenChange, navigate],
    ),
  );
  const categories = new Set(
    Object.values(channels).flatMap(({ server_id, category }) =>
      server_id === serverId && category !== null ? [category] : [],
    ),
  );
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={texts.shell.createChannel}>
      <form onSubmit={onForm(create.run)}>
        <TextField label={labels.name} name="name" required maxLength={100} autoFocus />
        <Choice label={labels.type} name="type" defaultValue="text">
          <option value="text">{labels.text}</option>
          <option value="voice">{labels.voice}</option>
        </Choice>
        <TextField
          label={labels.category}
          name="category"
          maxLength={100}
          list="channel-categories"
          defaultValue={category ?? ""}
        />
        <datalist id="channel-categories">
          {[...categories].map((category) => (
            <option key={category} value={category} />
          ))}
        </datalist>
        <TextField label={labels.topic} name="topic" maxLength={1024} />
        <ErrorNote error={create.error} />
        <Actions>
          <Button type="submit" disabled={create.isBusy}>
            {labels.submit}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
