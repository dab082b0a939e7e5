import { usePage } from "../../state/use-page.js";
import { texts } from "../../texts/texts.js";
import { TextArea, TextField } from "../../ui/field.js";
import { textOf, textOrNull } from "../../ui/form.js";
import { SendDialog } from "./send-dialog.js";

/** Creates a scheduled event. */
export function EventDialog({ channelId, onClose }: { channelId: string; onClose: () => void }) {
  const names = texts.conversation.event;
  const { client } = usePage();
  const send = (form: FormData) =>
    client.scheduledEvents.send(channelId, {
      name: textOf(form, "name"),
      description: textOrNull(form, "description"),
      starts_at: new Date(textOf(form, "starts_at")).toISOString(),
    });
  return (
    <SendDialog title={names.create} submit={names.submit} send={send} onClose={onClose}>
      <TextField label={names.name} name="name" required maxLength={200} autoFocus />
      <TextField label={names.startsAt} name="starts_at" type="datetime-local" required />
      <TextArea label={names.description} name="description" maxLength={2000} />
    </SendDialog>
  );
}
