import type { ScheduledEvent, ScheduledEventsSendBody } from "@parley/client";
import { useState } from "react";
import { useShallow } from "zustand/react/shallow";
import { visibleChannels } from "../../../state/access/permissions.js";
import { useAppState } from "../../../state/app/use-app.js";
import { fieldOf, momentOf } from "../../../state/kept/times.js";
import { texts } from "../../../texts/texts.js";
import { textOf, textOrNull } from "../../../ui/data/form.js";
import { Choice, TextArea, TextField } from "../../../ui/forms/field.js";

/** The voice channels that the user may choose for an event of a server. */
const useVoiceChannels = (serverId: string | null) =>
  useAppState(
    useShallow((state) =>
      serverId === null ? [] : (visibleChannels(state, serverId) ?? []).filter(({ type }) => type === "voice"),
    ),
  );

const fieldOfMoment = (timestamp: string | undefined) => (timestamp === undefined ? "" : fieldOf(new Date(timestamp)));

const noEvent = { name: "", description: "", starts_at: "", ends_at: "", place: "", voice_channel_id: "" };

/** What the fields show of an event when it begins to be edited. A voice channel that the user may not see is not shown. */
export function useShownEvent(event: ScheduledEvent, serverId: string): typeof noEvent {
  const voiceChannels = useVoiceChannels(serverId);
  const [shown] = useState(() => ({
    name: event.name,
    description: event.description ?? "",
    starts_at: fieldOfMoment(event.starts_at),
    ends_at: fieldOfMoment(event.ends_at),
    place: event.place ?? "",
    voice_channel_id: voiceChannels.find(({ id }) => id === event.voice_channel_id)?.id ?? "",
  }));
  return shown;
}

/** The fields of a scheduled event, for a new one and for one that is edited. */
export function EventFields({ serverId, shown = noEvent }: { serverId: string | null; shown?: typeof noEvent }) {
  const labels = texts.conversation.event;
  const voiceChannels = useVoiceChannels(serverId);
  const [startsAt, setStartsAt] = useState(shown.starts_at);
  return (
    <>
      <TextField label={labels.name} name="name" required maxLength={200} defaultValue={shown.name} autoFocus />
      <TextField
        label={labels.startsAt}
        name="starts_at"
        type="datetime-local"
        required
        value={startsAt}
        onChange={({ currentTarget }) => setStartsAt(currentTarget.value)}
      />
      <TextField
        label={labels.endsAt}
        name="ends_at"
        type="datetime-local"
        min={startsAt}
        defaultValue={shown.ends_at}
      />
      <TextField label={labels.place} name="place" maxLength={200} defaultValue={shown.place} />
      {voiceChannels.length === 0 ? null : (
        <Choice label={labels.voiceChannel} name="voice_channel_id" defaultValue={shown.voice_channel_id}>
          <option value="">{labels.noVoiceChannel}</option>
          {voiceChannels.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Choice>
      )}
      <TextArea label={labels.description} name="description" maxLength={2000} defaultValue={shown.description} />
    </>
  );
}

/** What the {@link EventFields} of a form say. */
export function eventOf(form: FormData): Required<ScheduledEventsSendBody> {
  const moment = (name: string) => momentOf(textOf(form, name))?.toISOString() ?? null;
  return {
    name: textOf(form, "name"),
    description: textOrNull(form, "description"),
    starts_at: moment("starts_at") ?? "",
    ends_at: moment("ends_at"),
    place: textOrNull(form, "place"),
    voice_channel_id: textOrNull(form, "voice_channel_id"),
  };
}

/** What differs from what the {@link EventFields} showed, which leave out the seconds of a time. */
export function changesOf(form: FormData, shown: typeof noEvent): Partial<ScheduledEventsSendBody> {
  const before = new FormData();
  for (const [name, value] of Object.entries(shown)) before.set(name, value);
  const old = new Map<string, unknown>(Object.entries(eventOf(before)));
  return Object.fromEntries(Object.entries(eventOf(form)).filter(([name, value]) => value !== old.get(name)));
}
