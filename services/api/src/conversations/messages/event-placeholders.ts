import { factsHeader } from "@parley/contracts";

/** Placeholder, in a new message and its event, for the id that the storing statement generates. */
export const idPlaceholder = "00000000-0000-0000-0000-000000000000";
/** Placeholder for the time that the storing statement generates. */
export const timePlaceholder = "0000-00-00T00:00:00.000Z";

const timeField = '"created_at":"';

/**
 * SQL for the body of an event in which the message's id and time replace the placeholders, which have the same length.
 * The id's field must precede all user text, as the first occurrence is replaced. The time is searched with its field,
 * which user text cannot contain, because its quotation marks are escaped there.
 *
 * @param sql expressions of the body, the id and the time
 */
export const filledBody = ({ body, id, time }: { body: string; id: string; time: string }) =>
  `overlay(overlay(${body} PLACING ${time} FROM position('${timeField}${timePlaceholder}' IN ${body}) + ${timeField.length})
    PLACING ${id}::text FROM position('${idPlaceholder}' IN ${body}))`;

/** SQL for the headers of such an event: only their facts have the placeholder, as the message that the event brings. */
export const filledHeaders = ({ headers, id }: { headers: string; id: string }) =>
  `replace(${headers}, '${idPlaceholder}', ${id}::text)::jsonb`;

/** The same as a value. */
export const withMessageId = (headers: Record<string, string>, id: string): Record<string, string> => ({
  ...headers,
  ...(headers[factsHeader] !== undefined && { [factsHeader]: headers[factsHeader].replace(idPlaceholder, id) }),
});
