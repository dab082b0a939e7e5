import { errorBody as error, GoLiveSession } from "@parley/contracts";
import { createChannel, createClient, createServerWithMembers, type SharedStack, sharedStack } from "@parley/testing";
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { connectTo, sentBehind } from "../stages/lock-stage.js";

let stack: SharedStack;
let database: pg.Client;
beforeAll(async () => {
  stack = await sharedStack();
  database = await connectTo(stack);
});
afterAll(async () => {
  await database?.end();
});

const statuses = (answers: readonly { status: number }[]) => answers.map(({ status }) => status).toSorted();

test("of many who go live in a channel at once one does", async () => {
  const { owner, server, members } = await createServerWithMembers(createClient(stack.edgeUrl), 4);
  const voice = await createChannel(owner, server.id, { type: "voice" });
  for (const member of members) (await member.post(`/channels/${voice.id}/voice`, {})).expect(201, z.unknown());
  const answers = await Promise.all(members.map((member) => member.post(`/channels/${voice.id}/go-live`, {})));
  expect(statuses(answers)).toEqual([201, 400, 400, 400]);
  const live = await owner.get(`/channels/${voice.id}/go-live`);
  const { user } = members[answers.findIndex(({ status }) => status === 201)] ?? owner;
  expect(live.expect(200, GoLiveSession).broadcaster_id).toBe(user.id);
});

const accountLock = "SELECT pg_advisory_xact_lock(hashtextextended('account ' || $1::text, 0))";
const rowLock = "SELECT FROM users WHERE id = $1 FOR UPDATE";
const begun = "INSERT INTO account_deletions (user_id) VALUES ($1)";
const removed = "DELETE FROM users WHERE id = $1";

test.each([
  ["POST", "/bots", { name: "Helper" }, accountLock, begun],
  ["POST", "/bots", { name: "Helper" }, accountLock, removed],
  ["POST", "/servers", { name: "Late" }, accountLock, begun],
  ["POST", "/auth/second-factor", {}, rowLock, removed],
  ["PATCH", "/users/@me", { bio: "late" }, rowLock, removed],
  ["DELETE", "/users/@me", {}, accountLock, removed],
] as const)("%s %s %j that is under way when the account goes is refused as a later one", async (...late) => {
  const [method, path, fields, lock, change] = late;
  const user = await createClient(stack.edgeUrl).register();
  const values = [user.user.id];
  const answer = await sentBehind(database, [{ sql: lock, values }], {
    send: () => user.send(method, path, { body: { ...fields, password: user.password } }),
    meanwhile: async () => {
      await database.query("UPDATE users SET disabled_at = now() WHERE id = $1", values);
      await database.query(change, values);
    },
  });
  expect([answer.status, answer.body]).toEqual([401, error("Invalid or expired token")]);
});
