import {
  createClient,
  type RestClient,
  type SharedStack,
  startStack,
  type TestStack,
  type UserClient,
} from "@parley/testing";
import pg from "pg";
import { z } from "zod";

const pools = new Map<string, pg.Pool>();

/** Runs one statement on the installation's database, as an operator would. */
export async function runSql(databaseUrl: string, sql: string, values: unknown[] = []): Promise<unknown[]> {
  const pool = pools.get(databaseUrl) ?? openPool(databaseUrl);
  return (await pool.query(sql, values)).rows;
}

/** Its connections end after some seconds without a statement, or with the database, and never keep the process. */
function openPool(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString, idleTimeoutMillis: 5_000, allowExitOnIdle: true });
  // Tests stop and drop databases; a pool replaces failed connections.
  pool.on("error", () => {});
  pools.set(connectionString, pool);
  return pool;
}

/** An instance with one administrator. */
export interface AdminStage<Stack extends SharedStack = TestStack> {
  readonly stack: Stack;
  readonly client: RestClient;
  readonly admin: UserClient;
}

/** The same on a stack of a test file's own. */
export async function startAdminStage({ gateways }: { gateways: number }): Promise<AdminStage> {
  return createAdminStage(await startStack({ apis: 2, gateways }));
}

/** Registers an administrator. Those of earlier test files are none any more. */
export async function createAdminStage<Stack extends SharedStack>(stack: Stack): Promise<AdminStage<Stack>> {
  const client = createClient(stack.edgeUrl, { prefix: "/api" });
  await leaveNoAdministrator(stack);
  return { stack, client, admin: await registerAdmin(client, stack.databaseUrl) };
}

/** Takes their right from the administrators that earlier tests have left. */
export async function leaveNoAdministrator({ databaseUrl }: SharedStack): Promise<void> {
  await runSql(databaseUrl, "UPDATE users SET is_admin = false, admin_by_setting = false WHERE is_admin");
}

/** Registers a user and makes them administrator in the database. */
export async function registerAdmin(client: RestClient, databaseUrl: string): Promise<UserClient> {
  const admin = await client.register();
  await runSql(databaseUrl, "UPDATE users SET is_admin = true WHERE id = $1", [admin.user.id]);
  return admin;
}

/** Whether everybody but administrators is refused before anything else is looked at. */
export const isForAdmins = (path: string) => /^(\/api)?\/(admin\/|auth\/forgot-password$)/.test(path);

/** A bot of the user, and a client that acts as it. */
export async function createBotClient(owner: RestClient): Promise<{ id: string; user_id: string; client: RestClient }> {
  const { bot, token } = (await owner.post("/bots", { name: "Helper" })).expect(
    201,
    z.object({ bot: z.object({ id: z.string(), user_id: z.string() }), token: z.string() }),
  );
  return { ...bot, client: owner.withAuthorization(`Bot ${token}`) };
}

const LogEntry = z.strictObject({
  id: z.uuid(),
  admin_id: z.uuid().nullable(),
  action: z.string(),
  target_type: z.enum(["user", "server", "settings", "report", "import"]),
  target_id: z.uuid().nullable(),
  details: z.record(z.string(), z.unknown()),
  created_at: z.iso.datetime(),
});

/** The newest entries of the instance-wide log, newest first. */
export async function readAdminLog(admin: RestClient, query = "") {
  return (await admin.get(`/admin/audit-log${query}`)).expect(200, z.array(LogEntry));
}
