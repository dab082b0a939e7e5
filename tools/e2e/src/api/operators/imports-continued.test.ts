import { type UserClient, waitingForLocks, waitUntil } from "@parley/testing";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { createAdminStage, runSql } from "../stages/admin-stage.js";
import { Import, importArchive, importerOf, startImport, untilState, uploadArchive } from "../stages/import-stage.js";
import { useLockStage } from "../stages/lock-stage.js";
import { type MadeExport, madeExport, madeThing, packExport } from "../stages/made-export.js";

const stage = useLockStage();
let admin: UserClient;
beforeAll(async () => {
  ({ admin } = await createAdminStage(stage.stack));
});

/** The texts of a server's messages by the names of its channels, oldest first. */
async function textsOf(serverId: string | null): Promise<Record<string, string[]>> {
  const rows = await runSql(
    stage.stack.databaseUrl,
    `SELECT c.name, array_agg(m.content ORDER BY m.created_at, m.id) AS texts
      FROM messages m JOIN channels c ON c.id = m.channel_id WHERE c.server_id = $1 GROUP BY c.id, c.name ORDER BY c.name`,
    [serverId],
  );
  const list = z.array(z.object({ name: z.string(), texts: z.array(z.string()) })).parse(rows);
  return Object.fromEntries(list.map(({ name, texts }) => [name, texts]));
}

/** Starts an import, and keeps it waiting at the first message of a channel while something happens. */
async function heldAt(
  made: MadeExport,
  channel: number,
  meanwhile: (id: string) => Promise<{ settled: Promise<unknown> }>,
): Promise<{ id: string; settled: unknown }> {
  const { id } = await uploadArchive(admin, packExport(made), "made.zip");
  await untilState(admin, id, "ready");
  const [message] = made.messages.get(made.channels[channel]?.id ?? "") ?? [];
  const { database } = stage;
  await database.query("BEGIN");
  try {
    // Whoever stores the same item waits for this one.
    await database.query(
      `INSERT INTO import_items (workspace, kind, external_id, target_id, import_id) VALUES ($1, 'message', $2, $3, $3)`,
      [`parley:${made.server.id}`, message?.id, id],
    );
    await startImport(admin, id);
    await waitUntil(async () => (await waitingForLocks(database, { statement: "import_items" })) > 0, {
      what: "the import to come to the channel",
    });
    const { settled } = await meanwhile(id);
    await database.query("ROLLBACK");
    return { id, settled: await settled };
  } finally {
    await database.query("ROLLBACK");
  }
}

test("an import that is paused ends behind its batch, and goes on there", async () => {
  const made = madeExport(["one", "two", "three"]);
  const { id, settled } = await heldAt(made, 1, async (importId) => {
    const pausing = admin.post(`/admin/imports/${importId}/pause`);
    await waitUntil(async () => (await waitingForLocks(stage.database)) > 1, {
      what: "the pause to wait for the batch",
    });
    return { settled: pausing };
  });
  expect(settled).toMatchObject({ status: 202, body: { state: "paused" } });
  const paused = await untilState(admin, id, "paused");
  expect(paused.progress).toMatchObject({ messages: 4, of: 6 });
  expect(Object.keys(await textsOf(paused.server_id))).toEqual(["one", "two"]);
  expect((await admin.post(`/admin/imports/${id}/pause`)).status).toBe(400);
  expect((await admin.post(`/admin/imports/${id}/resume`)).status).toBe(202);
  const done = await untilState(admin, id, "done");
  expect(done.progress).toMatchObject({ messages: 6, of: 6 });
  const texts = ["from Ann", "from Bob"];
  expect(await textsOf(done.server_id)).toEqual({ one: texts, two: texts, three: texts });
  expect((await admin.post(`/admin/imports/${id}/resume`)).status).toBe(400);
});

test("an import whose process is killed in the middle goes on in another one, and a second run adds nothing", async () => {
  const made = madeExport(["one", "two", "three"]);
  const { id, settled } = await heldAt(made, 1, async (importId) => {
    const pid = importerOf(importId);
    if (pid !== undefined) process.kill(pid, "SIGKILL");
    return { settled: Promise.resolve(pid) };
  });
  expect(settled).toEqual(expect.any(Number));
  const { server_id, progress } = await untilState(admin, id, "done");
  expect(progress).toMatchObject({ messages: 6, of: 6 });
  const texts = ["from Ann", "from Bob"];
  const all = { one: texts, two: texts, three: texts };
  expect(await textsOf(server_id)).toEqual(all);
  const again = await importArchive(admin, packExport(made));
  expect(again).toMatchObject({ server_id, progress: { messages: 6 } });
  expect(await textsOf(server_id)).toEqual(all);
});

test("a newer archive adds what is missing, and changes what nobody has changed here", async () => {
  const made = madeExport(["one"]);
  const [channel] = made.channels;
  const messages = made.messages.get(channel?.id ?? "") ?? [];
  const long = "once upon a time ".repeat(300);
  messages.push({ ...madeThing(), author_id: made.people[0]?.user_id, content: "short" });
  const { server_id } = await importArchive(admin, packExport(made));
  await runSql(
    stage.stack.databaseUrl,
    "UPDATE messages SET content = 'changed here' WHERE server_id = $1 AND content = 'from Bob'",
    [server_id],
  );

  const edited_at = new Date().toISOString();
  for (const [at, content] of ["from Ann again", "from Bob again", long].entries())
    messages[at] = { ...messages[at], id: messages[at]?.id ?? "", content, edited_at };
  messages.push({ ...madeThing(), author_id: made.people[1]?.user_id, content: "new" });
  const late = { ...madeThing(), name: "late", type: "text", category: null, topic: null };
  made.channels.push(late);
  made.messages.set(late.id, [{ ...madeThing(), author_id: made.people[1]?.user_id, content: "later" }]);
  const [ann] = made.people;
  if (ann !== undefined) ann.nickname = "Ann of Bergen";
  const shown = `SELECT u.display_name FROM import_people p JOIN users u USING (id) WHERE p.external_id = $1`;
  for (const _ of ["first", "again"]) {
    expect((await importArchive(admin, packExport(made))).server_id).toBe(server_id);
    const { one = [], ...others } = await textsOf(server_id);
    expect(others).toEqual({ late: ["later"] });
    expect(await runSql(stage.stack.databaseUrl, shown, [ann?.user_id])).toEqual([{ display_name: "Ann of Bergen" }]);
    expect(one.filter((text) => !text.includes("upon a time"))).toEqual(["from Ann again", "changed here", "new"]);
    // A longer form has parts that the former one had not.
    expect(one.filter((text) => text.includes("upon a time")).join("")).toBe(long);
  }
});

test("an archive with the files that a former one lacked brings them once, and the text that stood for them goes", async () => {
  const made = madeExport([]);
  const channel = { ...madeThing(), name: "one", type: "text", category: null, topic: null };
  made.channels.push(channel);
  const files = [{ name: "files/notes.txt", bytes: "e4 e5" }];
  const attachments = [{ filename: "notes.txt", file_size: 5, path: "files/notes.txt" }];
  made.messages.set(channel.id, [
    { ...madeThing(), author_id: made.people[0]?.user_id, content: "", attachments },
    { ...madeThing(), author_id: made.people[1]?.user_id, content: "with words", attachments },
  ]);
  const { server_id } = await importArchive(admin, packExport(made));
  expect(await textsOf(server_id)).toEqual({ one: ["notes.txt", "with words"] });
  const stored =
    "SELECT a.filename FROM attachments a JOIN messages m ON m.id = a.message_id WHERE m.server_id = $1 ORDER BY m.id";
  expect(await runSql(stage.stack.databaseUrl, stored, [server_id])).toEqual([]);
  for (const _ of ["first", "again"]) {
    await importArchive(admin, packExport(made, files));
    expect(await textsOf(server_id)).toEqual({ one: ["", "with words"] });
    const notes = { filename: "notes.txt" };
    expect(await runSql(stage.stack.databaseUrl, stored, [server_id])).toEqual([notes, notes]);
  }
});

/** Pins a message, or takes its pin away. */
const pinChanged = "pinned = NOT pinned, pinned_at = CASE WHEN pinned THEN NULL ELSE now() END, pinned_by = NULL";

/** The contents of a server's messages that are pinned. */
async function pinsOf(serverId: string | null): Promise<string[]> {
  const text = "SELECT content FROM messages WHERE server_id = $1 AND pinned ORDER BY content";
  const rows = await runSql(stage.stack.databaseUrl, text, [serverId]);
  return z
    .array(z.object({ content: z.string() }))
    .parse(rows)
    .map(({ content }) => content);
}

test("a newer archive pins and unpins what nobody has pinned or unpinned here, and changes embeds", async () => {
  const made = madeExport([]);
  const channel = { ...madeThing(), name: "one", type: "text", category: null, topic: null };
  made.channels.push(channel);
  const message = (content: string, fields: object = {}) => ({
    ...{ ...madeThing(), author_id: made.people[0]?.user_id, content },
    ...fields,
  });
  const texts = ["later pinned", "later unpinned", "pinned here", "unpinned here", "with an embed"];
  const before = texts.map((content, at) => message(content, { pinned: at === 1 || at === 3 }));
  made.messages.set(channel.id, before);
  const { server_id } = await importArchive(admin, packExport(made));
  expect(await pinsOf(server_id)).toEqual(["later unpinned", "unpinned here"]);
  const change = `UPDATE messages SET ${pinChanged} WHERE server_id = $1 AND content LIKE '%pinned here'`;
  await runSql(stage.stack.databaseUrl, change, [server_id]);

  const embeds = [{ title: "News", description: "of the club" }];
  const forms = [{ pinned: true }, { pinned: false }, {}, {}, { embeds, edited_at: new Date().toISOString() }];
  made.messages.set(
    channel.id,
    before.map((each, at) => ({ ...each, ...forms[at] })),
  );
  for (const _ of ["first", "again"]) {
    await importArchive(admin, packExport(made));
    expect(await pinsOf(server_id)).toEqual(["later pinned", "pinned here"]);
    const embed =
      "SELECT embeds -> 0 ->> 'title' AS title FROM messages WHERE server_id = $1 AND content = 'with an embed'";
    expect(await runSql(stage.stack.databaseUrl, embed, [server_id])).toEqual([{ title: "News" }]);
  }
});

test("undoing leaves what somebody voted in, is interested in, pinned or unpinned", async () => {
  const made = madeExport([]);
  const channel = { ...madeThing(), name: "one", type: "text", category: null, topic: null };
  made.channels.push(channel);
  const poll = {
    question: "Blitz?",
    options: [
      { text: "yes", votes: 0 },
      { text: "no", votes: 0 },
    ],
  };
  const event = { name: "Simul", starts_at: new Date(Date.now() + 86_400_000).toISOString() };
  const parts = { "a poll": { poll }, "an event": { event }, "a pin": {}, "no pin": { pinned: true } };
  const message = (content: string, fields: object) => ({
    ...{ ...madeThing(), author_id: made.people[0]?.user_id, content },
    ...fields,
  });
  made.messages.set(
    channel.id,
    ["touched", "left alone"].flatMap((state) =>
      Object.entries(parts).map(([name, fields]) => message(`${name}, ${state}`, fields)),
    ),
  );
  const { id, server_id } = await importArchive(admin, packExport(made));
  expect((await textsOf(server_id)).one).toHaveLength(8);
  const touched = "FROM messages m WHERE m.server_id = $1 AND m.content LIKE '%, touched'";
  const ofThem = (table: string) => touched.replace(" WHERE", ` JOIN ${table} t ON t.message_id = m.id WHERE`);
  for (const statement of [
    `INSERT INTO poll_votes (poll_id, user_id, option_id)
      SELECT t.id, $2, (SELECT id FROM poll_options WHERE poll_id = t.id LIMIT 1) ${ofThem("polls")}`,
    `INSERT INTO event_interests (event_id, user_id) SELECT t.id, $2 ${ofThem("scheduled_events")}`,
    `UPDATE messages SET ${pinChanged}
      WHERE $2::uuid IS NOT NULL AND id IN (SELECT m.id ${touched} AND m.content LIKE '%pin, %')`,
  ])
    await runSql(stage.stack.databaseUrl, statement, [server_id, admin.user.id]);

  expect((await admin.delete(`/admin/imports/${id}`)).status).toBe(202);
  await untilState(admin, id, "undone");
  const left = (await textsOf(server_id)).one?.sort();
  expect(left).toEqual(["a pin, touched", "a poll, touched", "an event, touched", "no pin, touched"]);
});

test("the archive of an import that has failed is gone, and nobody resumes it", async () => {
  const made = madeExport(["one"]);
  const [channel] = made.channels;
  const broken = packExport({ ...made, server: { id: "x", name: "" } });
  const { id } = await uploadArchive(admin, broken, "broken.zip");
  const failed = async () => (await admin.get(`/admin/imports/${id}`)).expect(200, Import);
  await expect.poll(failed).toMatchObject({
    state: "failed",
    error: "server.json, record 1: the server has no id or no name.",
  });
  expect((await admin.post(`/admin/imports/${id}/resume`)).status).toBe(400);
  expect(await runSql(stage.stack.databaseUrl, "SELECT FROM import_parts WHERE import_id = $1", [id])).toEqual([]);
  expect(channel).toBeDefined();
});
