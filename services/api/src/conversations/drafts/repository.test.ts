import { randomUUID } from "node:crypto";
import { connectDatabase } from "@parley/database/prisma";
import { createTestDatabase } from "@parley/testing";
import { expect, test } from "vitest";
import { findDueDrafts, keyOfDraft } from "./repository.js";

test("drafts that rest are not among those that are due", async () => {
  const testDatabase = await createTestDatabase();
  const logger = { info() {}, warn() {} };
  const database = await connectDatabase({ url: testDatabase.url, poolMax: 2, applicationName: "test", logger });
  try {
    const { id: user_id } = await database.prisma.user.create({ data: { username: "ann" } });
    const [failing, other] = await Promise.all(
      [1, 2].map((n) => {
        const place_id = randomUUID();
        const at = new Date(n * 1_000);
        const times = { updated_at: at, announced_at: at, announce_at: at };
        return database.prisma.draft.create({
          data: { user_id, place_id, channel_id: place_id, content: "x", ...times },
        });
      }),
    );
    if (failing === undefined || other === undefined) throw new Error("no drafts");
    const due = async (but: string[]) => (await findDueDrafts(database, 10, but)).map(({ place_id }) => place_id);
    expect(await due([])).toEqual([failing.place_id, other.place_id]);
    expect(await due([keyOfDraft(failing)])).toEqual([other.place_id]);
  } finally {
    await database.close();
    await testDatabase.drop();
  }
});
