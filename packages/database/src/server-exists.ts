/**
 * SQL that holds while a server exists: for everything that finds memberships by their user, since those of a deleted
 * server stay stored until background work has deleted them. OFFSET 0 keeps it a look-up by id for each row.
 *
 * @param id SQL of the server's id
 */
export function serverExists(id: string): string {
  return `EXISTS (SELECT FROM servers existing WHERE existing.id = ${id} OFFSET 0)`;
}
