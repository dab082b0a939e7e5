import { clearableText, type ScheduledEvent, trimmedText } from "@parley/contracts";
import { v7 as uuidv7 } from "uuid";
import { z } from "zod";
import { instant } from "../../http/input.js";
import { eventErrors } from "./error-texts.js";

export const createEventBody = z.object({
  name: trimmedText({ min: 1, max: 200, message: eventErrors.name }),
  description: clearableText(2000, eventErrors.description).optional(),
  starts_at: instant(eventErrors.startsAt).refine((time) => time.getTime() > Date.now(), eventErrors.startsAt),
});
export type CreateEvent = z.infer<typeof createEventBody>;

/** Nothing is ordered by the ids and times of scheduled events, so this process may make them. */
export function newScheduledEvent({ name, description, starts_at }: CreateEvent, creatorId: string): ScheduledEvent {
  return {
    id: uuidv7(),
    name,
    description: description ?? null,
    starts_at: starts_at.toISOString(),
    created_by: creatorId,
    created_at: new Date().toISOString(),
  };
}
