import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { readers } from "@parley/archives";
import { errorBody as error, FoundPage } from "@parley/contracts";
import { createClient, type RestClient, type SharedStack, sharedStack, type UserClient } from "@parley/testing";
import { comparable, type Golden, sampleArchive } from "@parley/testing/archives";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { createAdminStage, readAdminLog, runSql } from "../stages/admin-stage.js";
import { Import, ImportPerson, readImported, startImport, untilState, uploadSample } from "../stages/import-stage.js";

let stack: SharedStack;
let client: RestClient;
let admin: UserClient;
beforeAll(async () => {
  ({ stack, client, admin } = await createAdminStage(await sharedStack()));
});

const People = z.object({ people: z.array(ImportPerson), total: z.int(), page: z.int(), per_page: z.int() });
const peopleOf = async (id: string, q = "") =>
  (await admin.get(`/admin/imports/${id}/people?q=${encodeURIComponent(q)}`)).expect(200, People).people;
const count = async (sql: string, values: unknown[]) => {
  const [row] = await runSql(stack.databaseUrl, `SELECT count(*)::integer AS count ${sql}`, values);
  return z.object({ count: z.int() }).parse(row).count;
};
/** Imports the sample of a source. */
async function importSample(source: string) {
  const { id } = await uploadSample(admin, source);
  const ready = await untilState(admin, id, "ready");
  await startImport(admin, id, { visible: "all" });
  return { ready, done: await untilState(admin, id, "done") };
}
const first = new Map<string, ReturnType<typeof importSample>>();
/** The first import of a sample on this stack. */
function firstImport(source: string) {
  const made = first.get(source) ?? importSample(source);
  first.set(source, made);
  return made;
}

const total = (counts: { count: number }[]) => counts.reduce((sum, { count }) => sum + count, 0);

/** What was made, by the names and types that the golden files have. */
async function figuresOf(admin: RestClient, importId: string, golden: Golden): Promise<Golden> {
  const made = await readImported(stack.databaseUrl, importId);
  const { report } = await untilState(admin, importId, "done");
  const skipped = report?.skipped ?? [];
  const servers = [...new Set(made.channels.map(({ server }) => server))];
  const known = new Map(golden.people.map((person) => [person.id, person.username_base]));
  const emoji = made.emoji.map(async ({ name, ...row }) => {
    const { body } = await fetch(`${stack.edgeUrl}/api/emojis/${"id" in row ? row.id : ""}`).then(async (response) => ({
      body: Buffer.from(await response.arrayBuffer()),
    }));
    return { name, sha256: createHash("sha256").update(body).digest("hex") };
  });
  return {
    ...made,
    counts: { ...made.counts, skipped: total(skipped) },
    channels: made.channels.map((channel) => ({
      ...channel,
      server: servers.indexOf(channel.server),
      type: golden.channels.find(({ id }) => id === channel.id)?.type === "any" ? "any" : channel.type,
    })),
    // A person without a name is a user here.
    people: made.people.map(({ username_base, ...person }) => {
      const base = known.get(person.id) ?? "";
      const isNameless = golden.people.some(({ id, name }) => id === person.id && name === null);
      const name = isNameless && person.name === "user" ? null : person.name;
      return { ...person, name, username_base: username_base.startsWith(base) ? base : username_base };
    }),
    roles: made.roles.map((role) => {
      const { color = role.color } = golden.roles.find(({ name }) => name === role.name) ?? {};
      return { ...role, color: color === null && role.color === "#95a5a6" ? null : role.color };
    }),
    emoji: await Promise.all(emoji),
    skipped,
  };
}

describe.each(readers.map(({ source }) => source))("an archive of %s", (source) => {
  test("becomes what its golden file says", async () => {
    const { golden: sample, path } = sampleArchive(source);
    // The exports of Discord name a webhook by its messages, and the first one of this has another name.
    const people = sample.people.map((person) =>
      source === "discord" && person.name === "Weather"
        ? { ...person, name: "Frost warning", username_base: "Frost_warning" }
        : person,
    );
    const golden = { ...sample, people };
    const { ready, done } = await firstImport(source);
    const { id } = ready;
    expect(ready).toMatchObject({ source, progress: { messages: 0, of: golden.counts.messages }, server_id: null });
    const reported = ready.report?.servers.flatMap(({ channels }) => channels) ?? [];
    const wanted = golden.channels.map(({ name, messages }) => [name, messages]);
    expect(reported.map(({ name, messages }) => [name, messages]).sort()).toEqual(wanted.sort());
    expect(done).toMatchObject({ error: null, progress: { messages: golden.counts.messages } });
    const figures = comparable(await figuresOf(admin, id, golden));
    const named = golden.servers.map(({ name }) => name ?? basename(path, ".zip"));
    expect(figures.servers.map(({ name }) => name)).toEqual(named);
    expect({ ...figures, servers: [] }).toEqual({ ...comparable(golden), servers: [] });
  });
});

test("pieces may come in any order and again, and an archive of no source leaves nothing", async () => {
  const archive = readFileSync(sampleArchive("discord").path);
  const half = Math.floor(archive.length / 2);
  const begun = await admin.post("/admin/imports", { size: archive.length, filename: "discord.zip" });
  const { id, state } = begun.expect(202, Import);
  expect(state).toBe("receiving");
  const put = (number: number, part: Uint8Array) =>
    fetch(`${stack.edgeUrl}/api/admin/imports/${id}/parts/${number}`, {
      method: "PUT",
      headers: { authorization: `Bearer ${admin.accessToken}`, "content-type": "application/octet-stream" },
      body: part,
    });
  expect((await put(2, archive.subarray(half))).status).toBe(202);
  expect((await put(2, archive.subarray(half))).status).toBe(202);
  expect((await put(3, archive.subarray(0, half + 1))).status).toBe(400);
  expect((await admin.post(`/admin/imports/${id}/start`, {})).body).toEqual(error("Not ready"));
  expect((await put(1, archive.subarray(0, half))).status).toBe(202);
  const ready = await untilState(admin, id, "ready");
  expect(ready.report?.servers[0]?.counts.messages).toBe(sampleArchive("discord").golden.counts.messages);

  const form = new FormData();
  form.append("archive", new Blob(["nothing that a service exports"]), "notes.txt");
  const refused = await admin.post("/admin/imports", form);
  expect(refused).toMatchObject({ status: 400, body: error("Unknown archive format") });
  const listed = (await admin.get("/admin/imports")).expect(200, z.object({ imports: z.array(Import) }));
  expect(listed.imports.map((one) => one.id)[0]).toBe(id);
  expect(
    await count("FROM import_parts p JOIN imports i ON i.id = p.import_id WHERE i.filename = 'notes.txt'", []),
  ).toBe(0);
});

test("a second run adds nothing, a code gives somebody the messages, and undoing leaves what somebody claimed", async () => {
  const { done: first } = await firstImport("parley");
  const stored = await count("FROM messages WHERE server_id = $1", [first.server_id]);
  const { done: second } = await importSample("parley");
  expect(second).toMatchObject({ server_id: first.server_id, error: null });
  expect(await count("FROM messages WHERE server_id = $1", [first.server_id])).toBe(stored);

  const [ada] = await peopleOf(second.id, "Ada_Lind");
  if (ada === undefined) throw new Error("the sample has a person named Ada_Lind");
  expect(ada).toMatchObject({ messages: 35, claimed: false, user_id: ada.id, is_bot: false });
  const profile = await admin.get(`/users/${ada.id}`);
  expect(profile.body).toMatchObject({ username: ada.username, imported: true });
  const [celia] = await peopleOf(second.id, "Celia_Nunes");
  expect((await admin.get(`/users/${celia?.id}`)).body).toMatchObject({ display_name: "Cé", imported: true });
  const total = async (query: string) => (await admin.get(`/search?${query}`)).expect(200, FoundPage).total;
  const from = (name: string) => total(`q=${encodeURIComponent(`from:"${name}"`)}`);
  const written = await total(`from=${ada.id}`);
  expect(written).toBeGreaterThan(20);
  // Another archive has somebody of this name, too.
  expect(await from(ada.username)).toBeGreaterThanOrEqual(written);
  expect(await from("Cé")).toBeGreaterThan(0);
  const claimer = await client.register();
  expect((await claimer.post("/dm-channels", { user_id: ada.id })).status).toBe(404);
  expect(await claimer.post("/users/@me/claims", { code: "wrong" })).toMatchObject({
    status: 404,
    body: error("Code not found"),
  });
  const { code } = (await admin.post(`/admin/imports/${second.id}/people/${ada.id}/code`)).expect(
    201,
    z.strictObject({ code: z.string() }),
  );
  const claimed = await claimer.post("/users/@me/claims", { code });
  expect(claimed).toMatchObject({ status: 200, body: { person: ada.name, messages: 35 } });
  expect((await claimer.post("/users/@me/claims", { code })).status).toBe(404);
  await expect.poll(() => count("FROM import_people WHERE id = $1 AND is_moved", [ada.id])).toBe(1);
  expect(await count("FROM messages WHERE author_id = $1", [claimer.user.id])).toBe(35);
  expect(await from(claimer.user.username)).toBe(written);
  expect(
    await count("FROM messages WHERE $1 = ANY (mention_user_ids) AND content LIKE '%@' || $2 || '%'", [
      claimer.user.id,
      claimer.user.username,
    ]),
  ).toBeGreaterThan(0);
  expect(await count("FROM messages WHERE $1 = ANY (mention_user_ids)", [ada.id])).toBe(0);

  expect((await admin.delete(`/admin/imports/${first.id}`)).status).toBe(202);
  await untilState(admin, first.id, "undone");
  const left = await count("FROM messages WHERE server_id = $1", [first.server_id]);
  expect(left).toBeGreaterThanOrEqual(35);
  expect(left).toBeLessThan(stored);
  expect(await count("FROM messages WHERE server_id = $1 AND author_id = $2", [first.server_id, claimer.user.id])).toBe(
    35,
  );
  const actions = (await readAdminLog(admin)).map(({ action }) => action);
  expect(actions).toEqual(expect.arrayContaining(["import_create", "import_start", "import_code", "import_undo"]));
});

test("undoing an import that nobody has touched leaves no server, person, message or file of it", async () => {
  const { id, server_id } = (await firstImport("mattermost")).done;
  expect((await admin.get(`/servers/${server_id}`)).status).toBe(200);
  const people = await peopleOf(id);
  expect((await admin.delete(`/admin/imports/${id}`)).status).toBe(202);
  await untilState(admin, id, "undone");
  expect((await admin.get(`/servers/${server_id}`)).status).toBe(404);
  expect(await count("FROM users WHERE id = ANY ($1)", [people.map((person) => person.id)])).toBe(0);
  expect(await count("FROM import_items WHERE import_id = $1", [id])).toBe(0);
  expect(await count("FROM import_parts WHERE import_id = $1", [id])).toBe(0);
});

test("ten wrong codes of an account are its last for a while, over both apis", async () => {
  const guesser = await client.register();
  const guess = (n: number) =>
    createClient(stack.apis[n % 2]?.url ?? "")
      .withAuthorization(`Bearer ${guesser.accessToken}`)
      .post("/users/@me/claims", { code: `wrong ${n}` });
  for (let n = 0; n < 10; n += 1) expect((await guess(n)).status).toBe(404);
  for (const n of [10, 11]) expect(await guess(n)).toMatchObject({ status: 429, body: error("Too many requests") });
});
