/** Stands in a new message, and in its event, for the id that the storing statement makes. */
export const idPlaceholder = "00000000-0000-0000-0000-000000000000";
/** Stands for the time that the storing statement makes. */
export const timePlaceholder = "0000-00-00T00:00:00.000Z";

const timeField = '"created_at":"';

/**
 * The body of an event with the message's id and time in place of the placeholders, which are as long. The id must stand
 * before everything that a user wrote. The time is found with its field, whose quotation marks are escaped wherever a
 * user wrote them.
 *
 * @param sql what names the body, the id and the time
 */
export const filledBody = ({ body, id, time }: { body: string; id: string; time: string }) =>
  `overlay(overlay(${body} PLACING ${time} FROM position('${timeField}${timePlaceholder}' IN ${body}) + ${timeField.length})
    PLACING ${id}::text FROM position('${idPlaceholder}' IN ${body}))`;
