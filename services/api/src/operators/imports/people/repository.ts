import { defineStatement, type RawRow } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";
import { z } from "zod";
import { patternOf } from "../../administration/page-schema.js";
import { authoredBy } from "../core/repository.js";
import type { ImportPerson } from "../core/schema.js";

const personRow = z.object({
  id: z.string(),
  external_id: z.string(),
  name: z.string(),
  username: z.string(),
  email: z.string().nullable(),
  is_bot: z.boolean(),
  deleted: z.boolean(),
  messages: z.int(),
  user_id: z.string(),
  claimed: z.boolean(),
}) satisfies z.ZodType<ImportPerson>;

const columns = `p.id, p.external_id, p.name, u.username, p.email, p.is_bot, p.deleted, p.messages,
  coalesce(p.claimed_by, p.id) AS user_id, p.claimed_by IS NOT NULL AS claimed`;
const found = `FROM import_people p JOIN users u ON u.id = p.id
  WHERE p.workspace = $1 AND ($2::text IS NULL OR p.name ILIKE $2 OR u.username ILIKE $2 OR p.email ILIKE $2)`;

const pageStatement = defineStatement({
  name: "import_people_page",
  text: `SELECT ${columns} ${found} ORDER BY p.messages DESC, p.id LIMIT $3 OFFSET $4`,
  row: personRow,
  isPlannedEachTime: true,
});
const countStatement = defineStatement({
  name: "import_people_count",
  text: `SELECT count(*)::integer AS count ${found}`,
  row: (row: RawRow) => Number(row.count),
  isPlannedEachTime: true,
});
const lockStatement = defineStatement({
  name: "import_person_lock",
  text: `SELECT ${columns} FROM import_people p JOIN users u ON u.id = p.id WHERE p.id = $1 AND p.workspace = $2 FOR UPDATE OF p`,
  row: personRow,
});
const claimStatement = defineStatement({
  name: "import_person_claim",
  text: `UPDATE import_people SET claimed_by = $2, is_moved = false, code_hash = NULL, code_expires_at = NULL WHERE id = $1`,
});
const codeStatement = defineStatement({
  name: "import_person_code",
  text: `UPDATE import_people SET code_hash = $2, code_expires_at = now() + interval '7 days' WHERE id = $1`,
});
const byCodeStatement = defineStatement({
  name: "import_person_by_code",
  text: `SELECT id, name, messages FROM import_people
    WHERE code_hash = $1 AND code_expires_at > now() AND claimed_by IS NULL FOR UPDATE`,
  row: z.object({ id: z.string(), name: z.string(), messages: z.int() }),
});

/** A page of the people of a workspace, those with most messages first, and how many there are. */
export async function findPeople(
  connection: Queryable,
  workspace: string,
  { q, limit, offset }: { q: string | undefined; limit: number; offset: number },
) {
  const values = [workspace, q === undefined || q === "" ? null : patternOf(q)];
  const [total = 0] = await connection.query(countStatement, values);
  return { people: await connection.query(pageStatement, [...values, limit, offset]), total };
}

export async function lockPerson(transaction: Transaction, id: string, workspace: string) {
  const [person] = await transaction.query(lockStatement, [id, workspace]);
  return person;
}

/** Gives a person, whose row is locked, to an account. The messages follow in steps. */
export async function claimPerson(transaction: Transaction, id: string, userId: string): Promise<void> {
  await transaction.execute(claimStatement, [id, userId]);
}

export async function setCode(transaction: Transaction, id: string, hash: string): Promise<void> {
  await transaction.execute(codeStatement, [id, hash]);
}

/** The person whom nobody has claimed and whose code is still good. */
export async function lockPersonByCode(transaction: Transaction, hash: string) {
  const [person] = await transaction.query(byCodeStatement, [hash]);
  return person;
}

// Messages go to the claiming account.

/** Has a row while messages of a claimed person are still to be given away; an index answers it. */
export const dueClaims = "SELECT FROM import_people WHERE NOT is_moved";

const dueStatement = defineStatement({
  name: "import_due_claims",
  text: `SELECT p.id, p.claimed_by, o.username AS old_name, n.username AS new_name
    FROM import_people p JOIN users o ON o.id = p.id JOIN users n ON n.id = p.claimed_by
    WHERE NOT p.is_moved AND p.id <> ALL ($1::uuid[]) LIMIT 10`,
  row: z.object({ id: z.string(), claimed_by: z.string(), old_name: z.string(), new_name: z.string() }),
});
export type DueClaim = Awaited<ReturnType<typeof findDueClaims>>[number];

export function findDueClaims(connection: Queryable, besides: readonly string[]) {
  return connection.query(dueStatement, [[...besides]]);
}

const some = (table: string, column: string) =>
  `ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE ${column} = $1 LIMIT $3 FOR UPDATE SKIP LOCKED))`;
const step = (name: string, text: string) => defineStatement({ name: `import_move_${name}`, text });

/** Rows of two people that would become one. */
const twice = (table: string, same: string) =>
  step(
    `${table}_twice`,
    `DELETE FROM ${table} t WHERE t.user_id = $1 AND EXISTS (
      SELECT FROM ${table} o WHERE o.user_id = $2 AND ${same}) AND $3::integer > 0`,
  );

/** Statements that each move at most `$3` rows from the person `$1` to the account `$2`. */
const steps = [
  step(
    "messages",
    `WITH moved AS (UPDATE messages SET author_id = $2, search = ${authoredBy("messages", "$2::uuid")} WHERE ${some("messages", "author_id")} RETURNING server_id),
      counted AS (SELECT server_id, count(*) AS count FROM moved GROUP BY server_id)
    INSERT INTO message_count_changes (author_id, server_id, messages)
      SELECT $1::uuid, server_id, -count FROM counted UNION ALL SELECT $2::uuid, server_id, count FROM counted`,
  ),
  step("pins", `UPDATE messages SET pinned_by = $2 WHERE ${some("messages", "pinned_by")}`),
  twice("reactions", "o.message_id = t.message_id AND o.emoji = t.emoji"),
  step("reactions", `UPDATE reactions SET user_id = $2 WHERE ${some("reactions", "user_id")}`),
  twice("poll_votes", "o.poll_id = t.poll_id"),
  step("votes", `UPDATE poll_votes SET user_id = $2 WHERE ${some("poll_votes", "user_id")}`),
  twice("event_interests", "o.event_id = t.event_id"),
  step("interests", `UPDATE event_interests SET user_id = $2 WHERE ${some("event_interests", "user_id")}`),
  step("events", `UPDATE scheduled_events SET created_by = $2 WHERE ${some("scheduled_events", "created_by")}`),
  step("emoji", `UPDATE custom_emojis SET created_by = $2 WHERE ${some("custom_emojis", "created_by")}`),
  step("invites", `UPDATE invites SET created_by = $2 WHERE ${some("invites", "created_by")}`),
  step("rules", `UPDATE automod_rules SET created_by = $2 WHERE ${some("automod_rules", "created_by")}`),
  step("bans_given", `UPDATE bans SET banned_by = $2 WHERE ${some("bans", "banned_by")}`),
  // Nobody is a member and banned.
  step(
    "bans",
    `WITH taken AS (DELETE FROM bans WHERE ${some("bans", "user_id")} RETURNING *)
    INSERT INTO bans (server_id, user_id, banned_by, reason, created_at, expires_at)
      SELECT server_id, $2, banned_by, reason, created_at, expires_at FROM taken
      WHERE NOT EXISTS (SELECT FROM members m WHERE m.server_id = taken.server_id AND m.user_id = $2)
    ON CONFLICT DO NOTHING`,
  ),
];

/** The account takes the person's place in mentions, where its name fits, and in copies of forwarded messages. */
const mentionsStatement = defineStatement({
  name: "import_move_mentions",
  text: `WITH taken AS (
      DELETE FROM import_mentions WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM import_mentions WHERE person_id = $1 LIMIT $3 FOR UPDATE SKIP LOCKED)) RETURNING message_id),
    -- The text is still the archive's.
    item AS (
      UPDATE import_items i SET digest = hashtextextended(text.renamed, 0)
      FROM taken JOIN messages m ON m.id = taken.message_id CROSS JOIN imports o, LATERAL (
        SELECT regexp_replace(m.content, '@' || $4::text || '(?![A-Za-z0-9_-])', '@' || $5::text, 'g') AS renamed) text
      WHERE i.import_id = o.id AND i.kind = 'message' AND i.target_id = m.id AND i.digest = hashtextextended(m.content, 0)
        AND char_length(text.renamed) <= 4000 AND $1::uuid = ANY (m.mention_user_ids))
    UPDATE messages m SET
      mention_user_ids = CASE WHEN $2::uuid = ANY (m.mention_user_ids) THEN array_remove(m.mention_user_ids, $1::uuid)
        ELSE array_replace(m.mention_user_ids, $1::uuid, $2::uuid) END,
      content = CASE WHEN char_length(text.renamed) <= 4000 AND $1::uuid = ANY (m.mention_user_ids) THEN text.renamed ELSE m.content END,
      forwarded = CASE WHEN m.forwarded #>> '{author,id}' = $1::text
        THEN jsonb_set(m.forwarded, '{author}', m.forwarded -> 'author' || jsonb_build_object('id', $2::uuid, 'username', $5::text))
        ELSE m.forwarded END
    FROM taken, LATERAL (
      SELECT regexp_replace(content, '@' || $4::text || '(?![A-Za-z0-9_-])', '@' || $5::text, 'g') AS renamed
      FROM messages WHERE id = taken.message_id) text
    WHERE m.id = taken.message_id AND ($1::uuid = ANY (m.mention_user_ids) OR m.forwarded #>> '{author,id}' = $1::text)`,
});
const remainingStatement = defineStatement({
  name: "import_mentions_remain",
  text: "SELECT EXISTS (SELECT FROM import_mentions WHERE person_id = $1) AS remain",
  row: (row: RawRow) => row.remain === true,
});
const movedStatement = defineStatement({
  name: "import_moved",
  text: "UPDATE import_people SET is_moved = true WHERE id = $1 AND claimed_by = $2",
});

/** Moves some rows of a person. @returns how many; when there are none the claim is whole */
export async function moveSome(connection: Queryable, claim: DueClaim, size: number): Promise<number> {
  const { id, claimed_by, old_name, new_name } = claim;
  for (const statement of steps) {
    const moved = await connection.execute(statement, [id, claimed_by, size]);
    if (moved > 0) return moved;
  }
  const mentions = await connection.execute(mentionsStatement, [id, claimed_by, size, old_name, new_name]);
  // Of messages that are gone nothing is changed.
  const [remain] = await connection.query(remainingStatement, [id]);
  if (remain !== true) await connection.execute(movedStatement, [id, claimed_by]);
  return mentions;
}

// Overrides of a person are the account's.

const overridesStatement = defineStatement({
  name: "import_due_overrides",
  text: `SELECT o.id, o.channel_id, c.server_id, o.allow, o.deny,
      EXISTS (SELECT FROM channel_overrides a WHERE a.channel_id = o.channel_id AND a.user_id = $2) AS has_own
    FROM channel_overrides o JOIN channels c ON c.id = o.channel_id WHERE o.user_id = $1 LIMIT $3`,
  row: z.object({
    id: z.string(),
    channel_id: z.string(),
    server_id: z.string(),
    allow: z.int(),
    deny: z.int(),
    has_own: z.boolean(),
  }),
});

/** Overrides that a claimed person has still, and whether the account has one in the channel. */
export function findDueOverrides(connection: Queryable, { id, claimed_by }: DueClaim, limit: number) {
  return connection.query(overridesStatement, [id, claimed_by, limit]);
}

// Roles follow when the account is a member.

const rolesStatement = defineStatement({
  name: "import_due_roles",
  text: `SELECT p.id, p.claimed_by AS user_id, r.id AS role_id, r.server_id, r.name, r.color
    FROM import_people p JOIN members m ON m.user_id = p.claimed_by
    JOIN roles r ON r.server_id = m.server_id AND r.id = ANY (p.role_ids)
    WHERE p.claimed_by IS NOT NULL AND p.role_ids <> ARRAY[]::uuid[] LIMIT $1`,
  row: z.object({
    id: z.string(),
    user_id: z.string(),
    role_id: z.string(),
    server_id: z.string(),
    name: z.string(),
    color: z.string(),
  }),
});
const roleGivenStatement = defineStatement({
  name: "import_role_given",
  text: "UPDATE import_people SET role_ids = array_remove(role_ids, $2::uuid) WHERE id = $1",
});

/** Roles of claimed people that their accounts, members now, do not have yet. */
export function findDueRoles(connection: Queryable, limit: number) {
  return connection.query(rolesStatement, [limit]);
}

export async function noteRoleGiven(transaction: Transaction, personId: string, roleId: string): Promise<void> {
  await transaction.execute(roleGivenStatement, [personId, roleId]);
}
