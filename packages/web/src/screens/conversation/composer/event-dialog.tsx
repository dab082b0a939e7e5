import { useApp } from "../../../state/app/use-app.js";
import { texts } from "../../../texts/texts.js";
import { useConversation } from "../context.js";
import { EventFields, eventOf } from "../message/event-fields.js";
import type { CreationProps } from "./send-dialog.js";
import { SendDialog } from "./send-dialog.js";

/** Creates a scheduled event. */
export function EventDialog({ channelId, ...props }: CreationProps) {
  const labels = texts.conversation.event;
  const { client } = useApp();
  const { serverId } = useConversation();
  const send = (form: FormData) => client.scheduledEvents.send(channelId, eventOf(form));
  return (
    <SendDialog title={labels.create} submit={labels.submit} send={send} {...props}>
      <EventFields serverId={serverId} />
    </SendDialog>
  );
}
