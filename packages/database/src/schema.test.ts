import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createTestDatabase, type TestDatabase } from "@parley/testing";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

// schema.prisma cannot express these, so only the migrations have them.
const indexesOfMigrationsOnly = [
  "attachments_audio_idx",
  "attachments_author_id_idx",
  "attachments_server_id_id_idx",
  "attachments_thumbnail_due_at_idx",
  "attachments_uncounted_idx",
  "attachments_video_idx",
  "audit_log_entries_members_idx",
  "automod_logs_judgement_id_key",
  "automod_logs_message_id_key",
  "channel_overrides_target_key",
  "dm_attachments_author_id_idx",
  "dm_attachments_thumbnail_due_at_idx",
  "dm_attachments_uncounted_idx",
  "dm_channels_picture_idx",
  "dm_messages_history_idx",
  "dm_messages_words_idx",
  "drafts_announce_at_idx",
  "drafts_deleted_idx",
  "import_people_email_idx",
  "import_people_roles_idx",
  "import_people_unmoved_idx",
  "import_records_order_idx",
  "inbox_items_place_idx",
  "inbox_items_reaction_idx",
  "interactions_announce_at_idx",
  "interactions_bot_user_id_idx",
  "interactions_by_http_idx",
  "interactions_due_at_idx",
  "interactions_ephemeral_idx",
  "invites_vanity_key",
  "members_folded_nickname_idx",
  "members_username_idx",
  "messages_author_idx",
  "messages_edited_idx",
  "messages_embeds_idx",
  "messages_history_idx",
  "messages_mentions_idx",
  "messages_pinned_by_idx",
  "messages_pinned_idx",
  "messages_reply_to_idx",
  "messages_search_idx",
  "messages_thread_idx",
  "messages_webhook_idx",
  "notification_settings_all_idx",
  "notification_settings_mail_due_idx",
  "notification_settings_mail_unplanned_idx",
  "notification_targets_missing_since_idx",
  "planned_messages_due_at_idx",
  "pushed_channels_read_due_at_idx",
  "pushes_due_at_idx",
  "reports_expiring_idx",
  "reports_target_key",
  "server_safety_raid_announced_until_idx",
  "servers_banner_idx",
  "servers_browse_idx",
  "servers_listed_idx",
  "servers_name_search_idx",
  "servers_picture_idx",
  "servers_words_idx",
  "user_directory_by_created_at_idx",
  "user_directory_by_messages_idx",
  "user_directory_by_username_idx",
  "user_directory_search_idx",
  "users_admins_idx",
  "users_connected_idx",
  "users_imported_display_name_idx",
  "users_imported_username_idx",
  "users_is_webhook_idx",
  "users_mailbox_key",
  "users_online_idx",
  "users_picture_idx",
  "users_presence_changed_at_idx",
  "users_shares_mailbox_idx",
  "users_status_expires_at_idx",
];
const generatedColumns = ["((thread_id IS NULL) AND (NOT deleted))", "uuid_extract_timestamp(id)"];

const columnsQuery = `
  SELECT format('%s.%s %s%s%s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
      -- Prisma lets the database accept null for a list, though it never writes one.
      CASE WHEN a.attnotnull OR a.attndims > 0 THEN ' not null' END,
      CASE WHEN a.attidentity <> '' OR pg_get_expr(d.adbin, d.adrelid) LIKE 'nextval%' THEN ' auto'
           WHEN a.attgenerated <> '' THEN ' generated ' || pg_get_expr(d.adbin, d.adrelid)
           ELSE ' default ' || pg_get_expr(d.adbin, d.adrelid) END) AS line
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid LEFT JOIN pg_attrdef d ON (d.adrelid, d.adnum) = (c.oid, a.attnum)
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
      AND c.relname <> '_prisma_migrations' ORDER BY 1`;
const constraintsQuery = `
  SELECT format('%s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS line FROM pg_constraint
    WHERE connamespace = 'public'::regnamespace AND contype IN ('p', 'f') AND conrelid IS DISTINCT FROM to_regclass('_prisma_migrations')
    ORDER BY 1`;
const indexesQuery = `
  SELECT indexdef AS line FROM pg_indexes WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'
    AND indexname <> ALL ($1) ORDER BY 1`;

let databases: TestDatabase[];
let migrated: pg.Client;
let declared: pg.Client;

async function connect(database: TestDatabase): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  return client;
}

async function lines(client: pg.Client, query: string, values: unknown[] = []): Promise<string[]> {
  const { rows } = await client.query<{ line: string }>(query, values);
  return rows.map(({ line }) => line);
}

/** The tables as schema.prisma declares them, in SQL; a generated column is a default in Prisma's eyes. */
async function declaredTables(): Promise<string> {
  const script = fileURLToPath(new URL("../schema-sql.mjs", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [script]);
  return generatedColumns.reduce(
    (sql, expression) => sql.replaceAll(`DEFAULT ${expression}`, `GENERATED ALWAYS AS (${expression}) STORED`),
    stdout,
  );
}

beforeAll(async () => {
  databases = [await createTestDatabase(), await createTestDatabase({ migrated: false })];
  const [withMigrations, empty] = databases;
  if (withMigrations === undefined || empty === undefined) throw new Error("two databases are needed");
  [migrated, declared] = [await connect(withMigrations), await connect(empty)];
  await declared.query(await declaredTables());
});

afterAll(async () => {
  await Promise.all([migrated.end(), declared.end()]);
  await Promise.all(databases.map((database) => database.drop()));
});

describe("schema.prisma and the migrated database agree", () => {
  test("schema.prisma and the migrated database agree on every column: type, precision, nullability, default", async () => {
    const columns = await lines(migrated, columnsQuery);
    expect(columns.length).toBeGreaterThan(150);
    expect(columns).toEqual(await lines(declared, columnsQuery));
  });

  test("schema.prisma and the migrated database agree on every primary key and foreign key, with what a deletion does", async () => {
    const constraints = await lines(migrated, constraintsQuery);
    expect(constraints.length).toBeGreaterThan(60);
    expect(constraints).toEqual(await lines(declared, constraintsQuery));
  });

  test("schema.prisma and the migrated database agree on every index, unique or not, that Prisma can express", async () => {
    const values = [indexesOfMigrationsOnly];
    expect(await lines(migrated, indexesQuery, values)).toEqual(await lines(declared, indexesQuery, values));
  });

  test("the indexes that only the migrations have are exactly those listed", async () => {
    const all = `SELECT indexname AS line FROM pg_indexes WHERE schemaname = 'public' AND indexname = ANY ($1) ORDER BY 1`;
    expect(await lines(migrated, all, [indexesOfMigrationsOnly])).toEqual(indexesOfMigrationsOnly);
    expect(await lines(declared, all, [indexesOfMigrationsOnly])).toEqual([]);
  });
});

test("every foreign key starts an index, so that no deletion reads a whole table", async () => {
  const query = `
    SELECT conname AS line FROM pg_constraint f
      WHERE contype = 'f' AND connamespace = 'public'::regnamespace AND NOT EXISTS (
        SELECT FROM pg_index i WHERE i.indrelid = f.conrelid
          AND (i.indkey::smallint[])[0] = f.conkey[1]
          -- A partial index serves the deletion only if it leaves out nothing but nulls.
          AND (i.indpred IS NULL OR pg_get_expr(i.indpred, i.indrelid) = format('(%I IS NOT NULL)',
            (SELECT attname FROM pg_attribute WHERE (attrelid, attnum) = (f.conrelid, f.conkey[1])))))`;
  expect(await lines(migrated, query)).toEqual([]);
});
