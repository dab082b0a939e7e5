import { useCallback } from "react";
import { messageSent } from "../../state/message-events.js";
import { usePage } from "../../state/use-page.js";
import { texts } from "../../texts/texts.js";
import { ErrorNote } from "../../ui/async-content.js";
import { Button } from "../../ui/button.js";
import { Actions, Dialog } from "../../ui/dialog.js";
import { TextArea, TextField } from "../../ui/field.js";
import { onForm, textOf, textOrNull } from "../../ui/form.js";
import { useAction } from "../../ui/use-action.js";

/** Announces something that happens later. */
export function EventDialog({ channelId, onClose }: { channelId: string; onClose: () => void }) {
  const names = texts.conversation.event;
  const { client, store } = usePage();
  const send = useAction(
    useCallback(
      async (form: FormData) => {
        const message = await client.scheduledEvents.send(channelId, {
          name: textOf(form, "name"),
          description: textOrNull(form, "description"),
          starts_at: new Date(textOf(form, "starts_at")).toISOString(),
        });
        store.setState((state) => messageSent(state, message));
        onClose();
      },
      [client, store, channelId, onClose],
    ),
  );
  return (
    <Dialog open onOpenChange={onClose} title={names.create}>
      <form onSubmit={onForm(send.run)}>
        <TextField label={names.name} name="name" required maxLength={200} autoFocus />
        <TextField label={names.startsAt} name="starts_at" type="datetime-local" required />
        <TextArea label={names.description} name="description" maxLength={2000} />
        <ErrorNote error={send.error} />
        <Actions>
          <Button type="submit" disabled={send.isBusy}>
            {names.submit}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
