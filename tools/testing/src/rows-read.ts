import pg from "pg";
import { z } from "zod";

interface PlanNode {
  "Relation Name"?: string | undefined;
  "Node Type": string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number | undefined;
  Plans?: PlanNode[] | undefined;
}
const PlanNode: z.ZodType<PlanNode> = z.lazy(() =>
  z.object({
    "Relation Name": z.string().optional(),
    "Node Type": z.string(),
    "Actual Rows": z.number(),
    "Actual Loops": z.number(),
    "Rows Removed by Filter": z.number().optional(),
    Plans: z.array(PlanNode).optional(),
  }),
);
const Explained = z.tuple([z.object({ "QUERY PLAN": z.tuple([z.object({ Plan: PlanNode })]) })]);

/** A value of a placeholder. */
type Value = string | number | readonly (string | number | null)[];

const literal = (value: Value): string => {
  if (typeof value === "number") return String(value);
  return pg.escapeLiteral(typeof value === "string" ? value : `{${value.map((each) => each ?? "NULL").join(",")}}`);
};

/**
 * Rows that a prepared statement reads from tables, also those that it passes over, the larger number of two: with a
 * plan for these values and with one for any, as PostgreSQL may choose either. It rolls the statement's writes back.
 *
 * @param options.table counts the rows of this table alone
 */
export async function rowsRead(
  client: pg.Client,
  { text }: { readonly text: string },
  values: readonly Value[],
  { table }: { table?: string } = {},
): Promise<number> {
  const counts: number[] = [];
  for (const mode of ["force_custom_plan", "force_generic_plan"]) {
    await client.query(`BEGIN; SET LOCAL plan_cache_mode = ${mode}; PREPARE counted AS ${text}`);
    const given = values.length === 0 ? "" : `(${values.map(literal).join(", ")})`;
    const { rows } = await client.query(`EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) EXECUTE counted ${given}`);
    await client.query("ROLLBACK; DEALLOCATE counted");
    const [{ "QUERY PLAN": plan }] = Explained.parse(rows);
    counts.push(read(plan[0].Plan, table));
  }
  return Math.max(...counts);
}

function read(node: PlanNode, table: string | undefined): number {
  const own = (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"];
  const below = (node.Plans ?? []).reduce((sum, child) => sum + read(child, table), 0);
  const name = node["Relation Name"];
  const isCounted = table === undefined ? name !== undefined && node["Node Type"] !== "ModifyTable" : name === table;
  return (isCounted ? own : 0) + below;
}
