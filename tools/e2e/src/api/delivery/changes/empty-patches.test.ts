import { randomUUID } from "node:crypto";
import { Message, Webhook } from "@parley/contracts";
import { createRole, loadAnswerCheck, postMessage } from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { type ChangeStage, nothing, startChangeStage } from "./change-stage.js";

let stage: ChangeStage;

beforeAll(async () => {
  stage = await startChangeStage();
});
afterAll(() => stage?.connections.closeAll());

const Created = z.object({ id: z.string() });

/** Ids of things to change, by the path of its endpoint and the name of the parameter. */
async function makeThings(): Promise<(path: string) => string> {
  const { owner, viewer, serverId, open } = stage;
  const hook = { name: "hook", url: "http://127.0.0.1:9/", event_types: ["message.created"] };
  const made = await owner.post(`/servers/${serverId}/webhooks`, hook);
  const { webhook } = made.expect(201, z.object({ webhook: Webhook }));
  const posted = await owner.post(`/servers/${serverId}/incoming-webhooks`, { channel_id: open.id, name: "hook" });
  const incoming = posted.expect(201, Created.extend({ token: z.string() }));
  const blitz = { name: "Blitz", starts_at: new Date(Date.now() + 3_600_000).toISOString() };
  const { event } = (await owner.post(`/channels/${open.id}/events`, blitz)).expect(201, Message);
  const own = { name: "rule", trigger: { type: "invites" }, actions: [{ type: "block" }] };
  const rule = (await owner.post(`/servers/${serverId}/automod/rules`, own)).expect(201, Created);
  const { bot } = (await owner.post("/bots", { name: "bot" })).expect(201, z.object({ bot: Created }));
  const people = [viewer.user.id, stage.outsider.user.id];
  const group = (await owner.post("/dm-channels", { user_ids: people })).expect(201, Created);
  const later = { content: "later", send_at: new Date(Date.now() + 3_600_000).toISOString() };
  const planned = (await owner.post(`/channels/${open.id}/messages`, later)).expect(202, Created);
  const root = await postMessage(owner, open.id, "root");
  (await owner.post(`/channels/${open.id}/messages/${root.id}/thread`, { content: "reply" })).expect(201, Created);
  const ids: Record<string, string> = {
    "/users": planned.id,
    "/threads": root.id,
    "/servers": serverId,
    "/channels": open.id,
    "/messages": (await postMessage(owner, open.id, "hello")).id,
    "/bots": bot.id,
    "/hooks": incoming.id,
    token: incoming.token,
    "/dm-channels": group.id,
    "/dm-messages": (await owner.post(`/dm-channels/${group.id}/messages`, { content: "hello" })).expect(201, Created)
      .id,
    server_id: serverId,
    channel_id: open.id,
    user_id: viewer.user.id,
    role_id: await createRole(owner, serverId).then(({ id }) => id),
    event_id: event?.id ?? "",
    rule_id: rule.id,
    message_id: (await postMessage(owner, open.id, "hello")).id,
    webhook_id: webhook.id,
  };
  return (path) => {
    const [top = ""] = /^\/[\w-]+/.exec(path) ?? [];
    return path.replace(/\{(\w+)\}/g, (_, name: string) => {
      if (name === "id" && /\/channels\/\{id\}$/.test(path)) return open.id;
      if (path.includes("incoming-webhooks") && name === "webhook_id") return incoming.id;
      return ids[name === "id" ? top : name] ?? randomUUID();
    });
  };
}

test("a PATCH without fields sends no event, whatever it is about", async () => {
  const { owner, client, serverId, heard } = stage;
  const { operations } = await loadAnswerCheck(client.baseUrl);
  const pathOf = await makeThings();
  await heard();
  const answers = new Map<string, number>();
  for (const { path } of operations.filter(({ method }) => method === "PATCH")) {
    answers.set(path, (await owner.patch(pathOf(path), {})).status);
  }
  expect((await owner.patch(`/servers/${serverId}/roles/${serverId}`, {})).status).toBe(200);
  expect(await heard()).toEqual({ v1: nothing, v2: nothing });
  // A body that must have a field, an endpoint of administrators or bots, or nothing that is there to be changed.
  for (const path of refused) expect([path, answers.get(path) === 200]).toEqual([path, false]);
  const changed = [...answers].filter(([path]) => !refused.includes(path));
  expect(changed.filter(([, status]) => status !== 200)).toEqual([]);
  expect(changed).not.toEqual([]);
});

const refused = [
  "/auth/passkeys/{id}",
  "/bots/@me",
  "/admin/settings",
  "/admin/users/{id}",
  "/admin/servers/{id}",
  "/channels/{channel_id}/messages/{message_id}",
  "/messages/{id}",
  "/hooks/{id}/{token}/messages/{message_id}",
  "/dm-messages/{id}",
  "/channels/{channel_id}/voice",
  "/interactions/{id}/{token}/answer",
  "/servers/{server_id}/reports/{report_id}",
  "/admin/reports/{report_id}",
];
