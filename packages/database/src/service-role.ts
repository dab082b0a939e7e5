import pg from "pg";
import { hostsOf } from "./hosts.js";

/** SQLSTATE when another migration job of the same cluster changes the role's rights at the same time. */
const concurrentUpdate = "XX000";
const attemptsMax = 10;

/** The role that services log in as. */
export interface ServiceRole {
  readonly name: string;
  /** With it the role is made, or gets this password; without, it must exist. */
  readonly password?: string | undefined;
}

/**
 * Lets a role read and write the rows of every table, and nothing else: it owns nothing, changes no schema and records
 * no migration. To be called after `migrate`, whose new tables it has no rights to before.
 *
 * @param options.databaseUrl the owner of the tables; makes a role only where it may
 * @throws the error of PostgreSQL: the role is missing, or may not be made
 */
export async function grantServiceRole(options: { databaseUrl: string; role: ServiceRole }): Promise<void> {
  const { name, password } = options.role;
  const { Client } = hostsOf(options.databaseUrl);
  const client = new Client({ connectionString: options.databaseUrl, application_name: "migrate" });
  client.on("error", () => {});
  await client.connect();
  try {
    const role = client.escapeIdentifier(name);
    const statements = [
      ...(password === undefined ? [] : [makeRole(client, name, password)]),
      "REVOKE CREATE ON SCHEMA public FROM PUBLIC",
      `GRANT USAGE ON SCHEMA public TO ${role}`,
      `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role}`,
      `GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO ${role}`,
      `REVOKE INSERT, UPDATE, DELETE ON _prisma_migrations FROM ${role}`,
    ];
    for (const statement of statements) await repeated(() => client.query(statement));
  } finally {
    await client.end();
  }
}

/** Roles belong to the cluster, so another database's job may have made it. A password that services log in with is no superuser's. */
function makeRole(client: pg.Client, name: string, password: string): string {
  const role = client.escapeIdentifier(name);
  return `DO $make$ BEGIN
    BEGIN CREATE ROLE ${role}; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END;
    ALTER ROLE ${role} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD ${client.escapeLiteral(password)};
  END $make$`;
}

async function repeated(work: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await work();
      return;
    } catch (error) {
      const isRace = error instanceof pg.DatabaseError && error.code === concurrentUpdate;
      if (!isRace || attempt === attemptsMax) throw error;
    }
  }
}
