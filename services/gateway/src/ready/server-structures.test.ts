import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { structuresReadMax } from "../limits.js";
import { type ReadyFixture, startReadyFixture } from "./ready-fixture.js";
import { createServerStructures } from "./server-structures.js";

let fixture: ReadyFixture;
let versions: Map<string, string>;

beforeAll(async () => {
  fixture = await startReadyFixture();
  const owner = await fixture.rows.user();
  for (let made = 0; made < 2 * structuresReadMax + 1; made += 1) await fixture.rows.server(owner);
  const servers = await fixture.database.prisma.server.findMany({ select: { id: true, structure_version: true } });
  versions = new Map(servers.map(({ id, structure_version }) => [id, String(structure_version)]));
});
afterAll(() => fixture?.stop());

/** The structures, and how many servers each statement was asked for. */
function createCounted(totalMax?: number) {
  const asked: unknown[] = [];
  const database: Pick<ReadyFixture["database"], "query"> = {
    query: (statement, values) => {
      asked.push(values.flat().length);
      return fixture.database.query(statement, values);
    },
  };
  return { asked, find: createServerStructures({ database, ...(totalMax === undefined ? {} : { totalMax }) }) };
}

describe("the structures of servers", () => {
  test("the structures of servers are read in pieces, and then known", async () => {
    const { asked, find } = createCounted();
    expect([...(await find(versions)).keys()].sort()).toEqual([...versions.keys()].sort());
    expect(asked).toEqual([structuresReadMax, structuresReadMax, 1]);
    expect((await find(versions)).size).toBe(versions.size);
    expect(asked).toHaveLength(3);
  });

  test("the structures of servers are not read on when they are too long together", async () => {
    const { asked, find } = createCounted(1);
    await expect(find(versions)).rejects.toThrow(RangeError);
    expect(asked).toEqual([structuresReadMax]);
  });
});
