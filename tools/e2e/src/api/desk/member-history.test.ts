import { errorBody as error, HistoryEntry, permissionBits } from "@parley/contracts";
import {
  assignRole,
  createClient,
  createRole,
  createServerWithMembers,
  postMessage,
  type ServerFixture,
  type SharedStack,
  sharedStack,
  type UserClient,
} from "@parley/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { runSql } from "../stages/admin-stage.js";

let stack: SharedStack;
let fixture: ServerFixture;
let owner: UserClient;
let member: UserClient;
let moderator: UserClient;
let auditor: UserClient;
let plain: UserClient;
let path: string;

const missing = { status: 403, body: error("You lack the required permission for this action") };
const historyOf = ({ user }: UserClient) => `/servers/${fixture.server.id}/members/${user.id}/moderation`;
const read = async (by: UserClient, query = "") => (await by.get(`${path}${query}`)).expect(200, z.array(HistoryEntry));
const note = async (by: UserClient, text: string) =>
  (await by.post(`${path}/notes`, { text })).expect(201, HistoryEntry);

beforeAll(async () => {
  stack = await sharedStack();
  fixture = await createServerWithMembers(createClient(stack.edgeUrl), 4);
  owner = fixture.owner;
  [member = owner, moderator = owner, auditor = owner, plain = owner] = fixture.members;
  path = historyOf(member);
  const { id } = fixture.server;
  await assignRole(owner, await createRole(owner, id, { permissions: permissionBits.KICK_MEMBERS }), moderator);
  await assignRole(owner, await createRole(owner, id, { rights: ["view_audit_log"] }), auditor);
});

describe("the history of a member", () => {
  test("has what people and rules did, reports and notes in one order, by pages, also when the member is gone", async () => {
    const { server, channel } = fixture;
    const target = `/servers/${server.id}/members/${member.user.id}`;
    const message = await postMessage(member, channel.id, "rude");
    await plain.post(`/messages/${message.id}/report`, { reason: "it is rude" });
    await owner.post(`${target}/timeout`, { duration_minutes: 5, reason: "calm down" });
    await owner.delete(`${target}/timeout`);
    await note(moderator, "was warned");
    const values = [server.id, channel.id, member.user.id, member.username];
    await runSql(
      stack.databaseUrl,
      `INSERT INTO automod_logs (server_id, channel_id, user_id, username, rule_type, action_taken, message_content, matched_term)
        VALUES ($1, $2, $3, $4, 'word_filter', 'delete', 'what a word', 'word')`,
      values,
    );
    await owner.post(`${target}/kick`, { reason: "enough" });
    await owner.post(`${target}/ban`, {});
    await owner.delete(`/servers/${server.id}/bans/${member.user.id}`);

    const entries = await read(owner);
    const [actor_id, reason] = [owner.user.id, null];
    expect(entries).toMatchObject([
      { type: "unban", actor_id, reason, details: {} },
      { type: "ban", actor_id, reason },
      { type: "kick", actor_id, reason: "enough", details: {} },
      {
        ...{ type: "automod", actor_id: null, reason: "word" },
        details: { rule_type: "word_filter", action_taken: "delete", message_content: "what a word" },
      },
      { type: "note", actor_id: moderator.user.id, reason: "was warned" },
      { type: "timeout_remove", actor_id, reason },
      { type: "timeout", actor_id, reason: "calm down", details: { duration_minutes: 5 } },
      {
        ...{ type: "report", actor_id: null, reason: "it is rude" },
        details: { status: "open", message_id: message.id, content: "rude", reporters: 1 },
      },
    ]);
    const pages: HistoryEntry[] = [];
    for (let page = await read(owner, "?limit=3"); page.length > 0; ) {
      pages.push(...page);
      page = await read(owner, `?limit=3&before=${page.at(-1)?.id}`);
    }
    expect(pages).toEqual(entries);
    for (const by of [moderator, auditor]) expect(await read(by)).toEqual(entries);
  });

  test("is shown to moderators and holders of view_audit_log, and to nobody about themselves", async () => {
    expect(await plain.get(path)).toMatchObject(missing);
    for (const user of [plain, moderator, auditor, owner]) {
      expect(await user.get(historyOf(user))).toMatchObject(missing);
      expect(await user.post(`${historyOf(user)}/notes`, { text: "I am nice" })).toMatchObject(missing);
    }
    const stranger = await createClient(stack.edgeUrl).register();
    expect(await stranger.get(path)).toMatchObject({ status: 404, body: error("Server not found") });
    expect(await owner.get(`${path}?before=x`)).toMatchObject({ status: 400, body: error("Invalid before") });
  });

  test("a note is deleted by its author and by the owner, and belongs to one member of one server", async () => {
    const [first, second] = [await note(moderator, "one"), await note(moderator, "two")];
    const remove = (by: UserClient, id: string, of = path) => by.delete(`${of}/notes/${id}`);
    const notTheirs = error("Only the author of a note or the server owner can delete it");
    expect(await remove(auditor, first.id)).toMatchObject({ status: 403, body: notTheirs });
    const notFound = { status: 404, body: error("Note not found") };
    expect(await remove(owner, first.id, historyOf(plain))).toMatchObject(notFound);
    expect((await remove(moderator, first.id)).status).toBe(204);
    expect((await remove(owner, second.id)).status).toBe(204);
    expect(await remove(owner, second.id)).toMatchObject(notFound);
    for (const text of ["", "x".repeat(2001)])
      expect(await owner.post(`${path}/notes`, { text })).toMatchObject({
        status: 400,
        body: error("text must be 1-2000 characters"),
      });
    const nobody = `/servers/${fixture.server.id}/members/${fixture.server.id}/moderation`;
    expect(await owner.post(`${nobody}/notes`, { text: "who?" })).toMatchObject({ status: 404 });
    expect((await owner.get(nobody)).body).toEqual([]);
  });
});
