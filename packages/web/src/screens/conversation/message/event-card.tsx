import type { ScheduledEvent } from "@parley/client";
import { CalendarClock } from "lucide-react";
import { texts } from "../../../texts/texts.js";
import { showMoment } from "../times.js";
import styles from "./event-card.module.css";

/** A scheduled event. */
export function EventCard({ event: { name, description, starts_at } }: { event: ScheduledEvent }) {
  return (
    <section className={styles.card} aria-label={name}>
      <CalendarClock size={26} aria-hidden />
      <div className={styles.lines}>
        <h3 className={styles.name} dir="auto">
          {name}
        </h3>
        <time className={styles.time} dateTime={starts_at}>
          {texts.conversation.event.starts(showMoment(starts_at))}
        </time>
        {description === null ? null : (
          <p className={styles.description} dir="auto">
            {description}
          </p>
        )}
      </div>
    </section>
  );
}
