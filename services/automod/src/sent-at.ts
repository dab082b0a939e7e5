/**
 * When a row with a version 7 identifier was made.
 *
 * @param id a UUIDv7
 * @returns milliseconds of the database's clock
 */
export function sentAtMs(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}
