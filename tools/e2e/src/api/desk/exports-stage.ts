import { get, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { CustomEmoji, Invite, Message, SentMessage } from "@parley/contracts";
import {
  createChannel,
  createRole,
  createServerWithMembers,
  postMessage,
  type RestClient,
  type UserClient,
} from "@parley/testing";
import type pg from "pg";
import { fromBuffer, type ZipFile } from "yauzl";
import { z } from "zod";
import { runSql } from "../stages/admin-stage.js";
import { pngPixel } from "../stages/sample-files.js";

/** Where the export of a server is. */
export const exportPath = (serverId: string) => `/servers/${serverId}/export`;

/** The answer's head; the caller reads its body. */
export function openExport(url: string, owner: UserClient, serverId: string, query = ""): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${owner.accessToken}` };
  return new Promise((resolve, reject) => {
    get(`${url}${exportPath(serverId)}${query}`, { headers, agent: false }, resolve).on("error", reject);
  });
}

/** Stores messages whose texts hardly get smaller in an archive; `words` of 32 characters each. */
export async function fillChannel(
  sql: pg.Client,
  channelId: string,
  serverId: string,
  { count, authorId, words = 1 }: { count: number; authorId: string; words?: number },
) {
  await sql.query("ALTER TABLE messages DISABLE TRIGGER USER");
  await sql.query(
    `INSERT INTO messages (channel_id, server_id, author_id, content)
      SELECT $1, $2, $3, (SELECT string_agg(md5(n || ' ' || w), '') FROM generate_series(1, $5::integer) AS w)
      FROM generate_series(1, $4::integer) AS n`,
    [channelId, serverId, authorId, count, words],
  );
  await sql.query("ALTER TABLE messages ENABLE TRIGGER USER");
}

/** The bytes of a whole export. */
export async function exportWhole(url: string, owner: UserClient, serverId: string): Promise<Buffer> {
  const answer = await openExport(url, owner, serverId, "?files=true");
  if (answer.statusCode !== 200) throw new Error(`the export was answered ${answer.statusCode}`);
  return buffer(answer);
}

/** The files of an archive by their names. */
async function unzip(archive: Buffer): Promise<Map<string, Buffer>> {
  const zip = await new Promise<ZipFile>((resolve, reject) => {
    fromBuffer(archive, { lazyEntries: true }, (failure, opened) => (failure ? reject(failure) : resolve(opened)));
  });
  const files = new Map<string, Buffer>();
  return new Promise((resolve, reject) => {
    zip.on("error", reject);
    zip.on("end", () => resolve(files));
    zip.on("entry", (entry) => {
      zip.openReadStream(entry, (failure, stream) => {
        if (failure) return reject(failure);
        buffer(stream).then((content) => {
          files.set(entry.fileName, content);
          zip.readEntry();
        }, reject);
      });
    });
    zip.readEntry();
  });
}

/** The files of an export, as texts and as what stands in them. */
export async function readExport(archive: Buffer) {
  const bytes = await unzip(archive);
  const files = new Map([...bytes].map(([name, content]) => [name, content.toString()]));
  const json = <Shape extends z.ZodType>(name: string, shape: Shape) => shape.parse(JSON.parse(files.get(name) ?? ""));
  const lines = <Shape extends z.ZodType>(name: string, shape: Shape) =>
    (files.get(name) ?? "absent")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => shape.parse(JSON.parse(line)));
  return { files, bytes, json, lines };
}

/** A server with one of everything that goes along. */
export async function createFullServer(client: RestClient, databaseUrl: string) {
  const { owner, server, channel, members } = await createServerWithMembers(client, 3);
  const [ann, bob, eve] = members;
  await owner.patch(`/channels/${channel.id}`, { category: "Halls", slow_mode_seconds: 5 });
  const hidden = await createChannel(owner, server.id, { name: "hidden" });
  const role = await createRole(owner, server.id, { name: "Arbiter", permissions: 4, rights: ["view_audit_log"] });
  const deny = { allow: 0, deny: 1 };
  await owner.put(`/channels/${hidden.id}/overrides`, { role_id: server.id, ...deny });
  await owner.put(`/channels/${hidden.id}/overrides`, { user_id: ann.user.id, allow: 1, deny: 0 });
  const form = new FormData();
  form.append("name", "rook");
  form.append("image", new Blob([Uint8Array.from(pngPixel)]), "rook.png");
  const emoji = (await owner.send("POST", `/servers/${server.id}/emojis`, { body: form })).expect(201, CustomEmoji);
  const rule = {
    name: "No shouting",
    trigger: { type: "caps", min_length: 20, percent: 90 },
    actions: [{ type: "flag" }],
  };
  (await owner.post(`/servers/${server.id}/automod/rules`, rule)).expect(201, z.object({}));
  const invite = (await owner.post(`/servers/${server.id}/invites`, { max_uses: 3 })).expect(201, Invite);
  (await owner.post(`/servers/${server.id}/invites`, { max_uses: 1 })).expect(201, Invite);
  await runSql(databaseUrl, "UPDATE invites SET uses = max_uses WHERE server_id = $1 AND max_uses = 1", [server.id]);

  const root = await postMessage(owner, channel.id, `@${bob.user.username} look`);
  await postMessage(owner, channel.id, "quiet");
  const thread = `/channels/${channel.id}/messages/${root.id}/thread`;
  const reply = (await owner.post(thread, { content: "a reply" })).expect(201, Message);
  await owner.patch(`/messages/${root.id}`, { content: `@${bob.user.username} see` });
  for (const by of [bob, ann]) {
    for (const each of ["👍", `c:${emoji.id}`]) {
      await by.put(`/channels/${channel.id}/messages/${root.id}/reactions/${encodeURIComponent(each)}`);
    }
  }
  await owner.post(`/channels/${channel.id}/messages/${root.id}/pin`);
  const question = { question: "Tea?", options: ["yes", "no"] };
  const asked = (await owner.post(`/channels/${channel.id}/polls`, question)).expect(201, Message);
  await eve.post(`/polls/${asked.poll?.id}/vote`, { option_id: asked.poll?.options[1]?.id });
  const file = new FormData();
  file.append("payload_json", JSON.stringify({ content: "with a file" }));
  file.append("files", new Blob(["one of a kind\n"]), "../Übung 1.txt");
  const sent = await owner.send("POST", `/channels/${channel.id}/messages`, { body: file });
  const attached = sent.expect(201, SentMessage);
  await owner.post(`/servers/${server.id}/members/${eve.user.id}/ban`, { reason: "spam,\ntwice" });
  return { owner, server, channel, hidden, role, emoji, invite, root, reply, asked, attached, ann, bob, eve };
}
