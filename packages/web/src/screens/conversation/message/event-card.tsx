import type { Message, ScheduledEvent } from "@parley/client";
import { Bell, BellRing, CalendarClock, MapPin, Volume2 } from "lucide-react";
import { Link } from "wouter";
import { useApp, useAppState } from "../../../state/app/use-app.js";
import { setInterest } from "../../../state/conversations/message-events.js";
import { texts } from "../../../texts/texts.js";
import { ErrorNote } from "../../../ui/data/async-content.js";
import { useAction } from "../../../ui/data/use-action.js";
import { Button } from "../../../ui/look/button.js";
import { showMoment } from "../times.js";
import styles from "./event-card.module.css";

/** A scheduled event, and a button to say that one is interested. */
export function EventCard({ event, message }: { event: ScheduledEvent; message: Message }) {
  const { name, description, starts_at, ends_at, place } = event;
  const labels = texts.conversation.event;
  return (
    <section className={styles.card} aria-label={name}>
      <CalendarClock size={26} aria-hidden />
      <div className={styles.lines}>
        <h3 className={styles.name} dir="auto">
          {name}
        </h3>
        <time className={styles.time} dateTime={starts_at}>
          {labels.starts(showMoment(starts_at))}
        </time>
        {ends_at === undefined ? null : (
          <time className={styles.time} dateTime={ends_at}>
            {labels.ends(showMoment(ends_at))}
          </time>
        )}
        {place === undefined ? null : (
          <p className={styles.place}>
            <MapPin size={14} role="img" aria-label={labels.where} />
            <bdi>{place}</bdi>
          </p>
        )}
        <VoiceChannel id={event.voice_channel_id} />
        {description === null ? null : (
          <p className={styles.description} dir="auto">
            {description}
          </p>
        )}
        <Interest event={event} message={message} />
      </div>
    </section>
  );
}

/** A link to the voice channel of an event; nothing once it is gone, or where the viewer may not see it. */
function VoiceChannel({ id }: { id: string | undefined }) {
  const channel = useAppState(({ channels }) => (id === undefined ? undefined : channels[id]));
  if (channel === undefined) return null;
  return (
    <p className={styles.place}>
      <Volume2 size={14} role="img" aria-label={texts.conversation.event.voiceChannel} />
      <Link href={`/servers/${channel.server_id}/channels/${channel.id}`} className={styles.link}>
        <bdi>{channel.name}</bdi>
      </Link>
    </p>
  );
}

function Interest({
  event: { id, interested_count: count = 0, me = false },
  message,
}: {
  event: ScheduledEvent;
  message: Message;
}) {
  const labels = texts.conversation.event;
  const { client, store } = useApp();
  const change = useAction(() =>
    store.change(
      () => (me ? client.scheduledEvents.notInterested(id) : client.scheduledEvents.interested(id)),
      (state) => setInterest(state, message, !me),
    ),
  );
  const Icon = me ? BellRing : Bell;
  return (
    <>
      <p className={styles.interest}>
        <Button kind="quiet" aria-pressed={me} disabled={change.isBusy} onClick={() => void change.run()}>
          <Icon size={16} aria-hidden />
          {labels.interested}
        </Button>
        {count === 0 ? null : <span className={styles.time}>{labels.interestedCount(count)}</span>}
      </p>
      <ErrorNote error={change.error} />
    </>
  );
}
