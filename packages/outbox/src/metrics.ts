import { type Database, defineStatement } from "@parley/database";
import { Counter, Gauge, type Registry } from "prom-client";
import { z } from "zod";

const backlogStatement = defineStatement({
  name: "outbox_backlog",
  text: `SELECT count(*)::integer AS events, coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS age
    FROM outbox`,
  row: z.object({ events: z.int(), age: z.number() }),
});

/** Counts the events that were committed and given up, because NATS never takes so many bytes. */
export const countUnsendable = (registry: Registry): Counter =>
  new Counter({
    name: "outbox_unsendable_events_total",
    help: "Events that are larger than NATS takes and were given up; their rows stay, nobody heard of them",
    registers: [registry],
  });

/**
 * Metrics of the outbox, read when they are scraped: how many events wait, and for how long the oldest of them has. All
 * processes see the same table, so an alert takes the maximum.
 */
export function registerOutboxMetrics({ registry, database }: { registry: Registry; database: Database }): void {
  const gauge = (name: string, help: string, value: "events" | "age") =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        try {
          const [backlog] = await database.query(backlogStatement, []);
          this.set(backlog?.[value] ?? 0);
        } catch {
          // Without the database the last value stays; readiness reports the outage.
        }
      },
    });
  gauge("outbox_events", "Events that are committed and not yet acknowledged by the stream", "events");
  gauge("outbox_oldest_event_age_seconds", "Age of the oldest event that is not yet acknowledged by the stream", "age");
}
