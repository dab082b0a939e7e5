import { defineStatement, type RawRow } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";
import { z } from "zod";

const namesStatement = defineStatement({
  name: "import_people_names",
  text: `SELECT p.external_id, p.id AS person_id, p.name, u.id, u.username
    FROM import_people p JOIN users u ON u.id = coalesce(p.claimed_by, p.id) WHERE p.workspace = $1`,
  row: z.object({
    external_id: z.string(),
    person_id: z.string(),
    name: z.string(),
    id: z.string(),
    username: z.string(),
  }),
});
export type KnownPerson = Awaited<ReturnType<typeof findPeopleNames>>[number];

const takenStatement = defineStatement({
  name: "import_taken_names",
  text: `SELECT username FROM users WHERE username = ANY ($1)
    UNION SELECT username FROM former_usernames WHERE username = ANY ($1)`,
  row: (row: RawRow) => String(row.username),
});
const firstTimesStatement = defineStatement({
  name: "import_first_times",
  text: `SELECT author, min(at)::float8 AS at FROM import_records WHERE import_id = $1 AND kind = 'message' AND author IS NOT NULL
    GROUP BY author`,
  row: z.object({ author: z.string(), at: z.number() }),
});

const personColumns = `id uuid, username text, created_at timestamptz, external_id text, name text, display_name text, email text,
  email_verified boolean, is_bot boolean, deleted boolean, role_ids uuid[]`;
const insertStatement = defineStatement({
  name: "import_insert_people",
  text: `WITH input AS MATERIALIZED (SELECT * FROM json_to_recordset($1::json) AS input (${personColumns})),
    account AS (
      INSERT INTO users (id, username, display_name, created_at, imported)
      SELECT id, username, display_name, created_at, true FROM input RETURNING id),
    item AS (
      INSERT INTO import_items (workspace, kind, external_id, target_id, import_id)
      SELECT $2, 'person', external_id, id, $3 FROM input)
    INSERT INTO import_people (id, workspace, external_id, name, email, email_verified, is_bot, deleted, role_ids)
    SELECT id, $2, external_id, name, email, email_verified, is_bot, deleted, role_ids FROM input`,
});
const updateStatement = defineStatement({
  name: "import_update_people",
  text: `WITH input AS MATERIALIZED (SELECT * FROM json_to_recordset($1::json) AS input (${personColumns})),
    shown AS (
      UPDATE users u SET display_name = input.display_name FROM input
      JOIN import_people p ON p.workspace = $2 AND p.external_id = input.external_id
      WHERE u.id = p.id AND u.imported AND u.display_name IS DISTINCT FROM input.display_name)
    UPDATE import_people p SET name = input.name, email = input.email, email_verified = input.email_verified,
      deleted = input.deleted,
      role_ids = CASE WHEN p.claimed_by IS NULL THEN input.role_ids ELSE p.role_ids END
    FROM input WHERE p.workspace = $2 AND p.external_id = input.external_id`,
});
const claimStatement = defineStatement({
  name: "import_claim_by_address",
  text: `UPDATE import_people p SET claimed_by = u.id, is_moved = false FROM users u
    WHERE p.workspace = $1 AND p.claimed_by IS NULL AND p.email_verified AND NOT p.is_bot AND u.email_verified_at IS NOT NULL
      AND mailbox_of(u.email) = mailbox_of(p.email) AND NOT u.shares_mailbox`,
});
const moveAgainStatement = defineStatement({
  name: "import_move_again",
  text: "UPDATE import_people SET is_moved = false WHERE workspace = $1 AND claimed_by IS NOT NULL",
});

/** The people of a workspace, by the accounts that have their messages now. */
export function findPeopleNames(connection: Queryable, workspace: string) {
  return connection.query(namesStatement, [workspace]);
}

/** Those of the names that accounts have. */
export function findTakenNames(connection: Queryable, names: readonly string[]): Promise<string[]> {
  return connection.query(takenStatement, [[...names]]);
}

/** When people wrote their first messages. */
export async function firstTimes(connection: Queryable, importId: string): Promise<Map<string, number>> {
  const rows = await connection.query(firstTimesStatement, [importId]);
  return new Map(rows.map(({ author, at }) => [author, at]));
}

export interface NewPerson {
  id: string;
  username: string;
  created_at: string;
  external_id: string;
  name: string;
  /** What of the name an account may have; null where that is its username. */
  display_name: string | null;
  email: string | null;
  /** Whether an account that has verified the address has the messages. */
  email_verified: boolean;
  is_bot: boolean;
  deleted: boolean;
  role_ids: string[];
}

export async function insertPeople(
  transaction: Transaction,
  { workspace, importId }: { workspace: string; importId: string },
  people: readonly NewPerson[],
): Promise<void> {
  await transaction.execute(insertStatement, [JSON.stringify(people), workspace, importId]);
}

/** What a newer archive says of people. */
export async function updatePeople(transaction: Transaction, workspace: string, people: readonly NewPerson[]) {
  await transaction.execute(updateStatement, [JSON.stringify(people), workspace]);
}

/** Gives the people of a workspace to the accounts that have verified their addresses. */
export async function claimByAddress(connection: Queryable, workspace: string): Promise<void> {
  await connection.execute(claimStatement, [workspace]);
}

/** Messages that were written while a claim began are given to its account, too. */
export async function moveAgain(connection: Queryable, workspace: string): Promise<void> {
  await connection.execute(moveAgainStatement, [workspace]);
}
