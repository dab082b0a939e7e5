import type { ScheduledEvent } from "@parley/client";
import { useApp } from "../../../state/app/use-app.js";
import { onEventUpdate } from "../../../state/conversations/message-events.js";
import { texts } from "../../../texts/texts.js";
import { EditForm } from "../../../ui/forms/edit-form.js";
import { Dialog } from "../../../ui/overlays/dialog.js";
import { changesOf, EventFields, useShownEvent } from "./event-fields.js";

/** Edits a scheduled event. */
export function EditEventDialog({
  event,
  serverId,
  onClose,
}: {
  event: ScheduledEvent;
  serverId: string;
  onClose: () => void;
}) {
  const { client, store } = useApp();
  const shown = useShownEvent(event, serverId);
  const save = (form: FormData) =>
    store.change(
      () => client.scheduledEvents.edit(event.id, changesOf(form, shown)),
      (state, edited, since) => since(onEventUpdate(state, edited)),
    );
  return (
    <Dialog open onOpenChange={onClose} title={texts.conversation.event.edit}>
      <EditForm onSave={save} onClose={onClose}>
        <EventFields serverId={serverId} shown={shown} />
      </EditForm>
    </Dialog>
  );
}
