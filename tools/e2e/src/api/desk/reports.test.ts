import { AuditLogEntry, errorBody as error, InstanceReport, Report } from "@parley/contracts";
import { assignRole, createClient, createRole, createServer, postMessage, type UserClient } from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type ChangeStage, heardBy, nothing, startChangeStage } from "../delivery/changes/change-stage.js";
import { registerAdmin, runSql } from "../stages/admin-stage.js";
import { openDirectChannel } from "../stages/connection-stage.js";

let stage: ChangeStage;
let path: string;

beforeAll(async () => {
  stage = await startChangeStage();
  path = `/servers/${stage.serverId}/reports`;
});
afterAll(() => stage?.connections.closeAll());

const Id = z.object({ id: z.string() });
const report = (by: UserClient, messageId: string, reason = "rude", category?: string) =>
  by.post(`/messages/${messageId}/report`, { reason, category });
const list = async (by: UserClient, query = "") => (await by.get(`${path}${query}`)).expect(200, z.array(Report));

/** A message of somebody's that the outsider has reported. */
async function reported(author: UserClient, content: string) {
  const message = await postMessage(author, stage.open.id, content);
  const { id } = (await report(stage.outsider, message.id)).expect(201, Id);
  return { id, message };
}

describe("a report of a message", () => {
  test("reaches v=2 connections of those who review reports, and reports of it are one", async () => {
    const { owner, admin, viewer, outsider, open, serverId, heard } = stage;
    const message = await postMessage(viewer, open.id, "something rude");
    await heard();
    const { id } = (await report(outsider, message.id, "rude", "harassment")).expect(201, Id);
    const first = (await list(owner))[0];
    expect(first).toEqual({
      ...{ id, server_id: serverId, message_id: message.id, channel_id: open.id, author_id: viewer.user.id },
      ...{ content: "something rude", attachments: 0, reporters: [outsider.user.id], reasons: ["rude"] },
      ...{ category: "harassment", source: "member", status: "open", closed_by: null, note: null, closed_at: null },
      created_at: expect.any(String),
    });
    const created = await heard({ owner: "REPORT_CREATE", admin: "REPORT_CREATE" });
    expect(created).toEqual({ v1: nothing, v2: heardBy(["owner", "admin"], ["REPORT_CREATE", first]) });

    expect((await report(outsider, message.id, "again")).expect(200, Id)).toEqual({ id });
    expect((await report(admin, message.id, "me too", "spam")).expect(201, Id)).toEqual({ id });
    const [second, ...others] = await list(admin);
    expect(second).toEqual({ ...first, reporters: [outsider.user.id, admin.user.id], reasons: ["rude", "me too"] });
    expect(others).toEqual([]);
    const updated = await heard({ owner: "REPORT_UPDATE", admin: "REPORT_UPDATE" });
    expect(updated).toEqual({ v1: nothing, v2: heardBy(["owner", "admin"], ["REPORT_UPDATE", second]) });
  });

  test("is hidden from the message's author, whatever they may review, in lists, changes and events", async () => {
    const { owner, admin, heard } = stage;
    await heard();
    const { id } = await reported(admin, "by an administrator");
    const { v2 } = await heard({ owner: "REPORT_CREATE" });
    expect(v2.owner.map(([name]) => name)).toContain("REPORT_CREATE");
    expect((await list(owner)).map((each) => each.id)).toContain(id);
    expect((await list(admin)).map((each) => each.id)).not.toContain(id);
    const refused = await admin.patch(`${path}/${id}`, { status: "closed" });
    expect([refused.status, refused.body]).toEqual([404, error("Report not found")]);
    (await owner.patch(`${path}/${id}`, { status: "closed" })).expect(200, Report);
    const closed = await heard({ owner: "REPORT_UPDATE" });
    for (const { v2: got } of [{ v2 }, closed])
      expect(got.admin.filter(([name]) => name.startsWith("REPORT_"))).toEqual([]);
  });

  test("is for those whose role gives the right from then on, and for them only", async () => {
    const { owner, outsider, viewer, serverId, heard } = stage;
    const reviewers = await createRole(owner, serverId, { rights: ["review_reports"] });
    expect((await outsider.get(path)).status).toBe(403);
    await assignRole(owner, reviewers, outsider);
    await heard();
    const message = await postMessage(owner, stage.open.id, "by the owner");
    const { id } = (await report(viewer, message.id)).expect(201, Id);
    const { v2 } = await heard({ admin: "REPORT_CREATE", outsider: "REPORT_CREATE" });
    const told = Object.entries(v2).filter(([, events]) => events.some(([name]) => name === "REPORT_CREATE"));
    // Not the owner, who wrote it.
    expect(told.map(([person]) => person).toSorted()).toEqual(["admin", "outsider"]);
    (await outsider.patch(`${path}/${id}`, { status: "closed" })).expect(200, Report);
    await owner.delete(`/servers/${serverId}/roles/${reviewers.id}`);
    expect((await outsider.patch(`${path}/${id}`, { status: "open" })).body).toEqual(
      error("You lack the required permission for this action"),
    );
    await heard();
  });

  test("needs a message that the reporter may see and did not write, a reason and a known category", async () => {
    const { owner, viewer, outsider, stranger, open, hidden } = stage;
    const message = await postMessage(owner, open.id, "seen");
    const secret = await postMessage(owner, hidden.id, "hidden");
    const gone = await postMessage(owner, open.id, "gone");
    await owner.delete(`/messages/${gone.id}`);
    const answers = [
      [report(owner, message.id), 400, "Cannot report your own message"],
      [report(viewer, message.id, ""), 400, "reason must be 1-1000 characters"],
      [report(viewer, message.id, "x".repeat(1001)), 400, "reason must be 1-1000 characters"],
      [report(viewer, message.id, "x", "boring"), 400, "category must be spam, harassment, illegal or other"],
      [report(outsider, secret.id), 403, "You don't have permission to view this channel"],
      [report(stranger, message.id), 404, "Message not found"],
      [report(viewer, gone.id), 404, "Message not found"],
      [viewer.get(path), 403, "You lack the required permission for this action"],
      [stranger.get(path), 404, "Server not found"],
      [owner.get(`${path}?status=lost`), 400, "status must be open or closed"],
      [owner.patch(`${path}/${message.id}`, { status: "closed" }), 404, "Report not found"],
      [owner.patch(`${path}/${message.id}`, {}), 400, "status must be open or closed"],
      [
        owner.patch(`${path}/${message.id}`, { status: "open", note: "x".repeat(1001) }),
        400,
        "note must be at most 1000 characters",
      ],
    ] as const;
    for (const [answer, status, text] of answers) expect(await answer).toMatchObject({ status, body: error(text) });
  });

  test("is closed with a note and an audit entry, listed by status in pages, and opened again by a new report", async () => {
    const { owner, admin, viewer, serverId, heard } = stage;
    const { id, message } = await reported(viewer, "first");
    const { id: other } = await reported(viewer, "second");
    await heard();
    const patch = { status: "closed", note: "warned" };
    const closed = (await admin.patch(`${path}/${id}`, patch)).expect(200, Report);
    expect(closed).toMatchObject({ ...patch, closed_by: admin.user.id, closed_at: expect.any(String) });
    const { v2 } = await heard({ owner: "REPORT_UPDATE" });
    expect(v2).toEqual(heardBy(["owner", "admin"], ["REPORT_UPDATE", closed]));
    // A second close changes nothing, and the first closer stays named.
    expect((await owner.patch(`${path}/${id}`, { status: "closed" })).expect(200, Report)).toEqual(closed);
    expect((await heard()).v2).toEqual(nothing);
    const entries = (await owner.get(`/servers/${serverId}/audit-logs?action=report_close`)).expect(
      200,
      z.array(AuditLogEntry),
    );
    const found = entries.filter(({ target_id }) => target_id === id);
    expect(found).toMatchObject([{ actor_id: admin.user.id, target_type: "report", details: patch }]);

    const idsOf = async (query: string) => (await list(owner, query)).map((each) => each.id);
    expect(await idsOf("?status=open")).toContain(other);
    expect(await idsOf("?status=open")).not.toContain(id);
    expect((await idsOf("?status=closed"))[0]).toBe(id);
    const all = await idsOf("");
    expect(all).toEqual(all.toSorted().reverse());
    const pages = [];
    for (let before = ""; ; before = `&before=${pages.at(-1)}`) {
      const page = await idsOf(`?limit=2${before}`);
      if (page.length === 0) break;
      pages.push(...page);
    }
    expect(pages).toEqual(all);

    expect((await report(owner, message.id, "still")).expect(201, Id)).toEqual({ id });
    const [opened] = (await list(owner, "?status=open")).filter((each) => each.id === id);
    expect(opened).toMatchObject({ status: "open", closed_by: null, closed_at: null, note: "warned" });
    expect(opened?.reasons).toEqual(["rude", "still"]);
  });
});

describe("reports of the installation", () => {
  test("direct messages, users and servers are reported to its administrators, by those who may see them", async () => {
    const { client, stack, stranger, viewer, owner, serverId } = stage;
    const admin = await registerAdmin(client, stack.databaseUrl);
    const channel = await openDirectChannel(stranger, viewer);
    const sent = await stranger.post(`/dm-channels/${channel}/messages`, { content: "psst" });
    const { id: messageId } = Id.parse(sent.body);
    const own = await createServer(stranger);
    await stranger.patch(`/servers/${own.id}`, { is_public: true });
    await owner.patch(`/servers/${serverId}`, { is_public: false });
    const body = { reason: "look", category: "illegal" };
    const targets = [
      { type: "dm_message", path: `/dm-messages/${messageId}/report`, id: messageId, content: "psst" },
      { type: "user", path: `/users/${stranger.user.id}/report`, id: stranger.user.id, content: stranger.username },
      { type: "server", path: `/servers/${own.id}/report`, id: own.id, content: own.name },
    ];
    for (const target of targets) {
      const { id } = (await viewer.post(target.path, body)).expect(201, Id);
      expect((await viewer.post(target.path, body)).expect(200, Id)).toEqual({ id });
      const shown = (await admin.get("/admin/reports?status=open")).expect(200, z.array(InstanceReport.strict()));
      expect(shown.find((each) => each.id === id)).toEqual({
        ...{ id, target_type: target.type, target_id: target.id, author_id: stranger.user.id, content: target.content },
        ...{ attachments: 0, reporters: [viewer.user.id], reasons: ["look"], category: "illegal", source: "member" },
        ...{ status: "open", closed_by: null, note: null, created_at: expect.any(String), closed_at: null },
      });
      const closed = (await admin.patch(`/admin/reports/${id}`, { status: "closed", note: "done" })).expect(
        200,
        InstanceReport,
      );
      expect(closed).toMatchObject({ status: "closed", closed_by: admin.user.id, note: "done" });
      const log = z.array(z.object({ action: z.string(), target_id: z.string().nullable() }));
      expect(log.parse((await admin.get("/admin/audit-log")).body)).toContainEqual(
        expect.objectContaining({ action: "report_close", target_id: id }),
      );
    }
    const [directMessage, user, server] = targets.map((target) => target.path);
    const refusals = [
      [owner.post(directMessage ?? "", body), 404, "Message not found"],
      [stranger.post(directMessage ?? "", body), 400, "Cannot report your own message"],
      [stranger.post(user ?? "", body), 400, "Cannot report yourself"],
      [stranger.post(server ?? "", body), 400, "Cannot report your own server"],
      [stranger.post(`/servers/${serverId}/report`, body), 404, "Server not found"],
      [viewer.post(`/users/${serverId}/report`, body), 404, "User not found"],
      [owner.get("/admin/reports"), 403, "Admin access required"],
    ] as const;
    for (const [answer, status, text] of refusals) expect(await answer).toMatchObject({ status, body: error(text) });
  });
});

test("an account reports twenty times an hour, over all apis and all kinds", async () => {
  const { stack, client, viewer } = stage;
  const reporter = await client.register();
  const apis = stack.apis.map(({ url }) => createClient(url).withAuthorization(`Bearer ${reporter.accessToken}`));
  expect(apis.length).toBeGreaterThan(1);
  const send = (n: number) => apis[n % apis.length]?.post(`/users/${viewer.user.id}/report`, { reason: "again" });
  const answers = await Promise.all(Array.from({ length: 22 }, (_, n) => send(n)));
  const statuses = answers.map((answer) => answer?.status).toSorted();
  expect(statuses).toEqual([...Array(19).fill(200), 201, 429, 429]);
  const late = await reporter.post(`/users/${viewer.user.id}/report`, { reason: "again" });
  expect([late.status, late.body]).toEqual([429, error("Too many requests")]);
  expect(Number(late.headers.get("retry-after"))).toBeGreaterThan(3_000);
});

test("what an account reported, wrote or closed no longer names it when it is deleted", async () => {
  const { client, stack, owner, viewer, outsider } = stage;
  const admin = await registerAdmin(client, stack.databaseUrl);
  const gone = await client.register();
  const { id } = (await viewer.post(`/users/${gone.user.id}/report`, { reason: "look" })).expect(201, Id);
  const { id: other } = (await gone.post(`/users/${outsider.user.id}/report`, { reason: "look" })).expect(201, Id);
  const member = `/servers/${stage.serverId}/members/${gone.user.id}/moderation`;
  (await owner.post(`${member}/notes`, { text: "remember" })).expect(201, z.unknown());
  await admin.patch(`/admin/reports/${id}`, { status: "closed" });
  expect((await admin.delete(`/admin/users/${gone.user.id}`)).status).toBe(204);
  const rows = () =>
    runSql(stack.databaseUrl, "SELECT author_id, content, reporters FROM reports WHERE id = ANY ($1) ORDER BY id", [
      [id, other],
    ]);
  await expect.poll(rows).toEqual([
    { author_id: null, content: null, reporters: [viewer.user.id] },
    { author_id: outsider.user.id, content: outsider.username, reporters: [] },
  ]);
  await expect.poll(async () => (await owner.get(member)).body).toEqual([]);
});
