/**
 * SQL that holds while a server exists: for everything that finds memberships by their user, since those of a deleted
 * server stay stored until its purge has removed them. OFFSET 0 keeps it a look-up by id for each row.
 *
 * @param id SQL of the server's id
 */
export function serverExists(id: string): string {
  return `EXISTS (SELECT FROM servers living WHERE living.id = ${id} OFFSET 0)`;
}
