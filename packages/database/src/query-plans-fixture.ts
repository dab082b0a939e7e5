import { createTestDatabase } from "@parley/testing";
import pg from "pg";
import { expect } from "vitest";
import { z } from "zod";

// The hot queries of the services, in their simplest form, against a database in which a wrong plan would show.

export interface PlanNode {
  "Node Type": string;
  "Index Name"?: string | undefined;
  "Relation Name"?: string | undefined;
  "Actual Rows": number;
  "Actual Loops": number;
  Plans?: PlanNode[] | undefined;
}
const PlanNode: z.ZodType<PlanNode> = z.lazy(() =>
  z.object({
    "Node Type": z.string(),
    "Index Name": z.string().optional(),
    "Relation Name": z.string().optional(),
    "Actual Rows": z.number(),
    "Actual Loops": z.number(),
    Plans: z.array(PlanNode).optional(),
  }),
);
const Explained = z.array(z.object({ "QUERY PLAN": z.array(z.object({ Plan: PlanNode })).length(1) })).length(1);

/** 200 users, 400 servers with 10 channels each; `user2` is in 49 of them and more. */
const base = `
  INSERT INTO users (username) SELECT 'user' || n FROM generate_series(1, 200) AS n;
  INSERT INTO servers (name, owner_id, is_public)
    SELECT 'server' || n, (SELECT id FROM users WHERE username = 'user1'), n % 2 = 0 FROM generate_series(1, 400) AS n;
  INSERT INTO members (server_id, user_id)
    SELECT s.id, u.id FROM servers s, users u WHERE hashtext(s.name || u.username) % 20 = 0
      OR (u.username = 'user2' AND s.name ~ '^server[1-4]?[0-9]$');
  INSERT INTO channels (server_id, name, position) SELECT s.id, 'c', n FROM servers s, generate_series(1, 10) AS n;
`;

/** The two modes of PostgreSQL's planner, with statistics: it may choose either for a prepared statement. */
export const planModes = ["force_custom_plan", "force_generic_plan"];

/**
 * A database with users, servers, members and channels, and more rows.
 *
 * @param additions SQL of the further rows
 */
export async function startPlanWorld(additions: string) {
  const database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(base);
  await client.query(additions);
  await client.query("VACUUM ANALYZE");
  return {
    /** The nodes of a prepared statement's plan after running it, root first. */
    async explain(mode: string, types: string, query: string, values: readonly string[]): Promise<PlanNode[]> {
      await client.query(`SET plan_cache_mode = ${mode}`);
      await client.query(`PREPARE hot (${types}) AS ${query}`);
      try {
        const literals = values.map((value) => client.escapeLiteral(value)).join(", ");
        const { rows } = await client.query(`EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) EXECUTE hot (${literals})`);
        const [explained] = Explained.parse(rows);
        const flatten = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flatten)];
        return (explained?.["QUERY PLAN"] ?? []).flatMap(({ Plan }) => flatten(Plan));
      } finally {
        await client.query("DEALLOCATE hot");
      }
    },
    /** The column `value` of a query's first row. */
    async one(query: string): Promise<string> {
      const { rows } = await client.query<{ value: string }>(query);
      return rows[0]?.value ?? expect.fail(query);
    },
    async stop() {
      await client.end();
      await database.drop();
    },
  };
}

export const indexesOf = (nodes: PlanNode[]) => nodes.flatMap((node) => node["Index Name"] ?? []);
export const nodeTypes = (nodes: PlanNode[]) => nodes.map((node) => node["Node Type"]);
export const scansWhole = (nodes: PlanNode[]) =>
  nodes.filter((node) => node["Node Type"] === "Seq Scan").map((node) => node["Relation Name"]);
