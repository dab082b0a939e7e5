import { clearableText, errorTexts, nameText, type ScheduledEvent } from "@parley/contracts";
import { v7 as uuidv7 } from "uuid";
import { z } from "zod";
import { instant, nonNull } from "../../platform/http/input.js";

export const createEventBody = z.object({
  name: nameText({ min: 1, max: 200, message: errorTexts.event_name_length }),
  description: clearableText(2000, errorTexts.event_description_length).optional(),
  starts_at: instant(errorTexts.event_starts_at_invalid).refine(
    (time) => time.getTime() > Date.now(),
    errorTexts.event_starts_at_invalid,
  ),
});
export type CreateEvent = z.infer<typeof createEventBody>;

const { name, description, starts_at } = createEventBody.shape;

export const updateEventBody = z.object({ name: nonNull(name), description, starts_at: nonNull(starts_at) });
export type UpdateEvent = z.infer<typeof updateEventBody>;

/** Content of the message of an event. */
export const eventContent = (eventName: string) => `📅 ${eventName}`;

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
