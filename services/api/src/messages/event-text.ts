/** Stands for the id that the storing statement makes. */
export const idPlaceholder = "00000000-0000-0000-0000-000000000000";
/** Stands for the time that the storing statement makes. */
export const timePlaceholder = "0000-00-00T00:00:00.000Z";

/** An event's text around the id and the time of its message: head, id, middle, time, tail. */
export interface EventText {
  head: string;
  middle: string;
  tail: string;
}

const timeField = '"created_at":"';

/**
 * Cuts the text of an event where the message's id and time belong, so that the statement that makes both can store the
 * finished text. The id must stand before everything that a user wrote. The time is found with its field, whose quotation
 * marks are escaped wherever a user wrote them.
 *
 * @param body text of an event about a message with {@link idPlaceholder} and {@link timePlaceholder}
 */
export function cutEventText(body: string): EventText {
  const idAt = body.indexOf(idPlaceholder);
  const timeAt = body.indexOf(timeField + timePlaceholder) + timeField.length;
  return {
    head: body.slice(0, idAt),
    middle: body.slice(idAt + idPlaceholder.length, timeAt),
    tail: body.slice(timeAt + timePlaceholder.length),
  };
}

/** The text that the statement stored. */
export function joinEventText({ head, middle, tail }: EventText, { id, time }: { id: string; time: string }): string {
  return head + id + middle + time + tail;
}
