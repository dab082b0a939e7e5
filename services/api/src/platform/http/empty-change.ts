/**
 * Whether the body of a PATCH names no field. Such a request changes nothing, so it sends no event
 * (docs/protocol/events.md#23).
 *
 * @param changes the fields that were read, undefined where the body has none
 */
export function isEmptyChange(changes: object): boolean {
  return Object.values(changes).every((value) => value === undefined);
}
