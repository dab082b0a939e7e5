import { Message, SentMessage } from "@parley/contracts";
import {
  createChannel,
  createRole,
  postMessage,
  type RestClient,
  type SharedStack,
  sharedStack,
  type UserClient,
} from "@parley/testing";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { createFullServer, exportWhole, readExport } from "../desk/exports-stage.js";
import { createAdminStage, runSql } from "../stages/admin-stage.js";
import { Import, ImportPerson, startImport, untilState, uploadArchive } from "../stages/import-stage.js";
import { turnOnFactor } from "../stages/second-factor.js";

let stack: SharedStack;
let client: RestClient;
let admin: UserClient;
beforeAll(async () => {
  ({ stack, client, admin } = await createAdminStage(await sharedStack()));
});

/** A server with more than one of everything that an archive can have. */
async function createRichServer() {
  const full = await createFullServer(client, stack.databaseUrl);
  const { owner, server, channel, root, role, ann, bob } = full;
  await owner.patch(`/servers/${server.id}`, { require_invite: true, hierarchy: true });
  await owner.patch(`/servers/${server.id}/roles/${server.id}`, { permissions: 3, rights: ["use_apps"] });
  const looked = await createRole(owner, server.id, { name: "Look outs", permissions: 0 });
  for (const [id, position] of [
    [role.id, 7],
    [looked.id, 7],
  ] as const)
    await owner.patch(`/servers/${server.id}/roles/${id}`, { position, mentionable: true, color: "#112233" });
  await createRole(owner, server.id, { name: "Lowest", permissions: 0, position: 0 });
  for (const member of [ann, bob])
    await owner.put(`/servers/${server.id}/members/${member.user.id}/roles/${looked.id}`);
  await owner.patch(`/servers/${server.id}/members/${ann.user.id}`, { nickname: "Annie" });
  await owner.put(`/channels/${channel.id}/overrides`, { role_id: looked.id, allow: 4, deny: 16 });

  await owner.patch(`/threads/${root.id}`, { title: "Openings", closed: true });
  const posted = [
    `@${ann.user.username} and @Look outs and @here`,
    `**bold** :rook: https://example.com/a_b_c`,
    "# a heading\n- a list\n> and `@everyone`",
    "long ".repeat(790),
  ];
  for (const text of posted) await postMessage(owner, channel.id, text);
  const answer = await bob.post(`/channels/${channel.id}/messages`, { content: "an answer", reply_to: root.id });
  answer.expect(201, SentMessage);
  const forward = async (id: string, to: string, content?: string) =>
    (await owner.post(`/messages/${id}/forward`, { channel_id: to, content })).expect(201, SentMessage);
  const secret = await postMessage(owner, full.hidden.id, "# to come");
  await forward(full.attached.id, full.hidden.id);
  await forward(secret.id, channel.id, "seen before its original comes");

  const gone = await postMessage(ann, channel.id, "goes");
  const thread = `/channels/${channel.id}/messages/${gone.id}/thread`;
  (await bob.post(thread, { content: "stays" })).expect(201, Message);
  await ann.delete(`/messages/${gone.id}`);
  await planEvent(full);
  await askPoll(full);
  await setFace(full, looked.id);
  const nothing = { url: null, color: null, timestamp: null, author: null, footer: null, image: null, thumbnail: null };
  const embed = { title: "Score", description: "1:0", ...nothing, fields: [] };
  await runSql(
    stack.databaseUrl,
    "UPDATE messages SET embeds = $2, embed_texts = 'Score 1:0' WHERE channel_id = $1 AND content LIKE '**bold**%'",
    [channel.id, JSON.stringify([embed])],
  );
  return full;
}

type FullServer = Awaited<ReturnType<typeof createFullServer>>;

async function planEvent({ owner, ann, server, channel }: FullServer) {
  const lounge = await createChannel(owner, server.id, { name: "lounge", type: "voice" });
  expect((await owner.patch(`/channels/${lounge.id}`, { user_limit: 5 })).status).toBe(200);
  const [starts_at, ends_at] = [24, 26].map((hours) => new Date(Date.now() + hours * 3_600_000).toISOString());
  const event = { name: "Blitz", starts_at, ends_at, place: "Town hall", voice_channel_id: lounge.id };
  const sent = (await owner.post(`/channels/${channel.id}/events`, event)).expect(201, SentMessage);
  for (const one of [owner, ann]) expect((await one.put(`/events/${sent.event?.id}/interested`)).status).toBe(204);
}

async function askPoll({ owner, ann, channel }: FullServer) {
  const poll = {
    question: "When?\nSay soon.",
    options: ["Monday", "Friday", "Never"],
    multiple: 2,
    ends_in_minutes: 60,
  };
  const sent = (await owner.post(`/channels/${channel.id}/polls`, poll)).expect(201, SentMessage);
  const option_ids = sent.poll?.options.slice(1).map(({ id }) => id);
  expect((await ann.post(`/polls/${sent.poll?.id}/vote`, { option_ids })).status).toBe(200);
}

/** What it shows of itself, what it asks newcomers, and an invite that gives a role. */
async function setFace({ owner, server, channel }: FullServer, roleId: string) {
  const face = { description: "Slow games", tags: ["chess", "evenings"], language: "de", timezone: "Europe/Oslo" };
  await turnOnFactor(owner);
  expect((await owner.patch(`/servers/${server.id}`, { ...face, require_second_factor: true })).status).toBe(200);
  const option = { title: "Watching", emoji: null, role_ids: [roleId], channel_ids: [channel.id] };
  const onboarding = {
    ...{ enabled: true, welcome: "Hello", channels: [{ channel_id: channel.id, description: "Talk" }] },
    questions: [{ title: "Why?", single: true, required: false, options: [option] }],
  };
  expect((await owner.put(`/servers/${server.id}/onboarding`, onboarding)).status).toBe(200);
  expect((await owner.post(`/servers/${server.id}/invites`, { role_ids: [roleId] })).status).toBe(201);
}

/**
 * The parts of an export in which ids, account names, codes of invites, and what names the installation or the moment of the export
 * are numbers of their first appearance. People of an archive are no members of the new server.
 */
async function comparable(archive: Buffer, former: Buffer) {
  const { files, json, lines } = await readExport(archive);
  const Person = z.looseObject({ id: z.string(), username: z.string(), created_at: z.string() });
  const people = lines("people.jsonl", Person);
  // Accounts here have the names already: those of the archive got a number behind theirs.
  const formerly = (await readExport(former)).lines("people.jsonl", Person).map(({ username, created_at }) => ({
    username,
    id: people.find((person) => person.created_at === created_at)?.id ?? "",
  }));
  const ids = new Map([...formerly, ...people].map(({ username, id }) => [username, id]));
  const names = [...ids.keys()].sort((one, other) => other.length - one.length);
  const server = json("server.json", z.looseObject({}));
  const manifest = json("manifest.json", z.looseObject({ counts: z.unknown() }));
  const numbers = new Map<string, string>();
  const numbered = (text: string): string =>
    text
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g, (id) => {
        const number = numbers.get(id) ?? `#${numbers.size + 1}`;
        numbers.set(id, number);
        return number;
      })
      .replaceAll(
        new RegExp(`\\b(?:${names.join("|")})(?![A-Za-z0-9_-])`, "g"),
        (name) => `name of ${numbered(ids.get(name) ?? "")}`,
      )
      .replaceAll(/"code":"\w+"/g, '"code":""');
  const parts = [...files].filter(
    ([name]) => !["server.json", "manifest.json", "members.json"].includes(name) && !name.startsWith("messages/"),
  );
  const messages = json("channels.json", z.array(z.looseObject({ id: z.string() }))).map(
    ({ id }) => files.get(`messages/${id}.jsonl`) ?? "",
  );
  return {
    server: numbered(JSON.stringify({ ...server, member_count: 0, updated_at: "" })),
    counts: manifest.counts,
    messages: messages.map((text) => numbered(text).split("\n")),
    parts: parts.map(([name, text]) => [numbered(name), numbered(text).split(/\n|(?<=\}),/)]),
  };
}

test("out, in and out again an export is equal but for ids and those who were members", async () => {
  const { owner, server } = await createRichServer();
  const url = stack.apis[0]?.url ?? "";
  const first = await exportWhole(url, owner, server.id);
  const { id } = await uploadArchive(admin, first, "club.zip");
  const ready = await untilState(admin, id, "ready");
  expect(ready.report?.skipped).toEqual([]);
  await startImport(admin, id, { owner_id: owner.user.id });
  const { server_id } = await untilState(admin, id, "done");

  const People = z.looseObject({ people: z.array(ImportPerson) });
  const listed = (await admin.get(`/admin/imports/${id}/people?per_page=100`)).expect(200, People).people;
  const formerly = listed.find(({ external_id }) => external_id === owner.user.id);
  const claim = await admin.post(`/admin/imports/${id}/people/${formerly?.id}/claim`, { user_id: owner.user.id });
  claim.expect(200, ImportPerson);
  const due = "SELECT FROM import_people WHERE id = $1 AND NOT is_moved";
  await expect.poll(() => runSql(stack.databaseUrl, due, [formerly?.id])).toEqual([]);

  const again = await exportWhole(url, owner, server_id ?? "");
  const copies =
    "SELECT m.content, count(a.id)::int AS files, o.content AS original FROM messages m JOIN messages o ON o.id = (m.forwarded ->> 'message_id')::uuid AND o.channel_id = (m.forwarded ->> 'channel_id')::uuid LEFT JOIN attachments a ON a.message_id = m.id AND a.forwarded WHERE m.server_id = $1 AND o.server_id = $1 GROUP BY m.id, o.id ORDER BY m.id";
  expect(await runSql(stack.databaseUrl, copies, [server_id])).toEqual([
    { content: "", files: 1, original: "with a file" },
    { content: "seen before its original comes", files: 0, original: "# to come" },
  ]);
  expect(await comparable(again, first)).toEqual(await comparable(first, first));
  // Too short to tell by itself.
  const language = "SELECT DISTINCT language FROM messages WHERE server_id = $1 AND content = 'an answer'";
  expect(await runSql(stack.databaseUrl, language, [server_id])).toEqual([{ language: "de" }]);
  expect((await admin.get(`/admin/imports/${id}`)).expect(200, Import).report?.skipped).toEqual([]);
});
