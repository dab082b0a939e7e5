import { clearableText, errorTexts, nameText, type ScheduledEvent, uuidInput } from "@parley/contracts";
import { v7 as uuidv7 } from "uuid";
import { z } from "zod";
import { instant, nonNull } from "../../platform/http/input.js";

const fields = {
  name: nameText({ min: 1, max: 200, message: errorTexts.event_name_length }),
  description: clearableText(2000, errorTexts.event_description_length).optional(),
  starts_at: instant(errorTexts.event_starts_at_invalid).refine(
    (time) => time.getTime() > Date.now(),
    errorTexts.event_starts_at_invalid,
  ),
  ends_at: instant(errorTexts.event_ends_at_invalid).nullable().optional(),
  place: clearableText(200, errorTexts.event_place_length).optional(),
  voice_channel_id: uuidInput(errorTexts.event_voice_channel_invalid).nullable().optional(),
};

/** Whether an event with these times ends after it starts. */
export const endsAfterStart = (startsAt: Date, endsAt: Date | null | undefined): boolean =>
  endsAt == null || endsAt > startsAt;

export const createEventBody = z
  .object(fields)
  .refine(({ starts_at, ends_at }) => endsAfterStart(starts_at, ends_at), errorTexts.event_ends_at_invalid);
export type CreateEvent = z.infer<typeof createEventBody>;

export const updateEventBody = z.object({
  ...fields,
  name: nonNull(fields.name),
  starts_at: nonNull(fields.starts_at),
});
export type UpdateEvent = z.infer<typeof updateEventBody>;

/** Texts of the 400 of both bodies. */
export const eventErrors = [
  errorTexts.event_name_length,
  errorTexts.event_description_length,
  errorTexts.event_starts_at_invalid,
  errorTexts.event_ends_at_invalid,
  errorTexts.event_place_length,
  errorTexts.event_voice_channel_invalid,
];

/** The texts of an event that auto-moderation reads. */
export const eventTexts = ({
  name,
  description,
  place,
}: Partial<Pick<CreateEvent, "name" | "description" | "place">>) =>
  [name, description, place].flatMap((text) => text ?? []);

/** Content of the message of an event. */
export const eventContent = (eventName: string) => `📅 ${eventName}`;

/** Nothing is ordered by the ids and times of scheduled events, so this process may make them. */
export function newScheduledEvent(
  { name, description, starts_at, ends_at, place, voice_channel_id }: CreateEvent,
  creatorId: string,
): ScheduledEvent {
  return {
    id: uuidv7(),
    name,
    description: description ?? null,
    starts_at: starts_at.toISOString(),
    created_by: creatorId,
    created_at: new Date().toISOString(),
    ...(ends_at == null ? {} : { ends_at: ends_at.toISOString() }),
    ...(place == null ? {} : { place }),
    ...(voice_channel_id == null ? {} : { voice_channel_id }),
  };
}
