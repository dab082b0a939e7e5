import { FoundPage } from "@parley/contracts";
import { createClient, createServerWithMembers, postMessage, sharedStack, waitUntil } from "@parley/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { createAdminStage, readAdminLog, runSql } from "../stages/admin-stage.js";

const Progress = z.strictObject({
  state: z.enum(["running", "paused", "done"]),
  ...{ done: z.int().min(0), total: z.int().min(0) },
  started_at: z.iso.datetime(),
  finished_at: z.iso.datetime().nullable(),
});
const path = "/admin/search-reindexing";

test("an administrator pauses the reindexing of the search and lets it go on, over both apis", async () => {
  const { stack, client, admin } = await createAdminStage(await sharedStack());
  const { owner, channel } = await createServerWithMembers(client, 0);
  const readers = stack.apis.map(({ url }) => createClient(url).withAuthorization(`Bearer ${admin.accessToken}`));
  const states = async () =>
    Promise.all(readers.map(async (reader) => (await reader.get(path)).expect(200, Progress).state));
  const word = "nachgetragenes";
  const { id } = await postMessage(owner, channel.id, word);
  const found = async () => {
    const { results } = (await owner.get(`/search?q=${word}`)).expect(200, FoundPage);
    return results.map(({ message }) => message.id);
  };
  expect(await found()).toEqual([id]);

  expect(await readers[0]?.post(`${path}/pause`)).toMatchObject({ status: 200 });
  // As an update to a version with other words leaves it.
  await runSql(stack.databaseUrl, "UPDATE messages SET search = '' WHERE id = $1", [id]);
  const again = "UPDATE search_reindexing SET again = true, position = NULL, dm_position = NULL, done = 0";
  await runSql(stack.databaseUrl, again);
  expect(await states()).toEqual(["paused", "paused"]);
  expect(await found()).toEqual([]);

  expect(await readers[1]?.post(`${path}/resume`)).toMatchObject({ status: 200 });
  await waitUntil(async () => ((await states()).every((state) => state === "done") ? true : undefined), {
    what: "the end of the reindexing",
  });
  expect(await found()).toEqual([id]);
  const [resumed, paused] = await readAdminLog(admin);
  expect([resumed, paused]).toMatchObject([
    { action: "search_reindexing_resume", admin_id: admin.user.id, target_type: "settings" },
    { action: "search_reindexing_pause", admin_id: admin.user.id, target_type: "settings" },
  ]);
});
