import type { Channel } from "@parley/client";
import { useSession } from "../../session/session.js";
import { texts } from "../../texts/texts.js";
import { ErrorNote } from "../../ui/async-content.js";
import { Button } from "../../ui/button.js";
import { Actions } from "../../ui/dialog.js";
import { TextField } from "../../ui/field.js";
import { onForm, textOf, textOrNull } from "../../ui/form.js";
import { useAction } from "../../ui/use-action.js";

/** Changes the name, topic and category of a channel. */
export function ChannelForm({
  channel,
  onCancel,
  onSaved,
}: {
  channel: Channel;
  onCancel: () => void;
  onSaved: () => Promise<void>;
}) {
  const { client } = useSession();
  const labels = texts.serverSettings.channels;
  const save = useAction(async (form: FormData) => {
    await client.channels.update(channel.id, {
      name: textOf(form, "name"),
      category: textOrNull(form, "category"),
      topic: textOrNull(form, "topic"),
    });
    await onSaved();
    onCancel();
  });
  return (
    <form onSubmit={onForm((form) => save.run(form))}>
      <TextField label={labels.name} name="name" maxLength={100} defaultValue={channel.name} required />
      <TextField label={labels.topic} name="topic" maxLength={1024} defaultValue={channel.topic ?? ""} />
      <TextField
        label={labels.category}
        name="category"
        maxLength={100}
        list="categories"
        defaultValue={channel.category ?? ""}
      />
      <ErrorNote error={save.error} />
      <Actions>
        <Button kind="quiet" onClick={onCancel}>
          {texts.common.cancel}
        </Button>
        <Button type="submit" disabled={save.isBusy}>
          {texts.common.save}
        </Button>
      </Actions>
    </form>
  );
}
