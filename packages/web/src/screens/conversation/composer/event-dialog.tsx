import { useState } from "react";
import { useShallow } from "zustand/react/shallow";
import { visibleChannels } from "../../../state/access/permissions.js";
import { useApp, useAppState } from "../../../state/app/use-app.js";
import { texts } from "../../../texts/texts.js";
import { textOf, textOrNull } from "../../../ui/data/form.js";
import { Choice, TextArea, TextField } from "../../../ui/forms/field.js";
import { useConversation } from "../context.js";
import type { CreationProps } from "./send-dialog.js";
import { SendDialog } from "./send-dialog.js";

/** Creates a scheduled event. */
export function EventDialog({ channelId, ...props }: CreationProps) {
  const labels = texts.conversation.event;
  const { client } = useApp();
  const { serverId } = useConversation();
  const voiceChannels = useAppState(
    useShallow((state) =>
      serverId === null ? [] : (visibleChannels(state, serverId) ?? []).filter(({ type }) => type === "voice"),
    ),
  );
  const [startsAt, setStartsAt] = useState("");
  const send = (form: FormData) => {
    const [end, place, voice] = ["ends_at", "place", "voice_channel_id"].map((name) => textOrNull(form, name));
    return client.scheduledEvents.send(channelId, {
      name: textOf(form, "name"),
      description: textOrNull(form, "description"),
      starts_at: new Date(startsAt).toISOString(),
      ...(end == null ? {} : { ends_at: new Date(end).toISOString() }),
      ...(place == null ? {} : { place }),
      ...(voice == null ? {} : { voice_channel_id: voice }),
    });
  };
  return (
    <SendDialog title={labels.create} submit={labels.submit} send={send} {...props}>
      <TextField label={labels.name} name="name" required maxLength={200} autoFocus />
      <TextField
        label={labels.startsAt}
        type="datetime-local"
        required
        value={startsAt}
        onChange={({ currentTarget }) => setStartsAt(currentTarget.value)}
      />
      <TextField label={labels.endsAt} name="ends_at" type="datetime-local" min={startsAt} />
      <TextField label={labels.place} name="place" maxLength={200} />
      {voiceChannels.length === 0 ? null : (
        <Choice label={labels.voiceChannel} name="voice_channel_id" defaultValue="">
          <option value="">{labels.noVoiceChannel}</option>
          {voiceChannels.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Choice>
      )}
      <TextArea label={labels.description} name="description" maxLength={2000} />
    </SendDialog>
  );
}
