import { useApp } from "../../../state/app/use-app.js";
import { texts } from "../../../texts/texts.js";
import { textOf, textOrNull } from "../../../ui/data/form.js";
import { TextArea, TextField } from "../../../ui/forms/field.js";
import type { CreationProps } from "./send-dialog.js";
import { SendDialog } from "./send-dialog.js";

/** Creates a scheduled event. */
export function EventDialog({ channelId, ...props }: CreationProps) {
  const labels = texts.conversation.event;
  const { client } = useApp();
  const send = (form: FormData) =>
    client.scheduledEvents.send(channelId, {
      name: textOf(form, "name"),
      description: textOrNull(form, "description"),
      starts_at: new Date(textOf(form, "starts_at")).toISOString(),
    });
  return (
    <SendDialog title={labels.create} submit={labels.submit} send={send} {...props}>
      <TextField label={labels.name} name="name" required maxLength={200} autoFocus />
      <TextField label={labels.startsAt} name="starts_at" type="datetime-local" required />
      <TextArea label={labels.description} name="description" maxLength={2000} />
    </SendDialog>
  );
}
