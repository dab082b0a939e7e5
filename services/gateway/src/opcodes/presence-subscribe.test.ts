import { waitUntil } from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectClient, openClient, type TestClient } from "../gateway-fixture.js";
import { closeAll, type OpsStage, startOpsStage } from "./ops-fixture.js";

let stage: OpsStage;
beforeAll(async () => {
  stage = await startOpsStage();
});
afterAll(() => stage.stop());

async function subscriber(userId: string): Promise<TestClient> {
  const token = stage.first.accessTokens.issue({ userId });
  const client = openClient(stage.first, `presence=subscribed&token=${token}`);
  await client.receive("READY");
  return client;
}
const name = (client: TestClient, ...user_ids: string[]) => client.send({ op: "PRESENCE_SUBSCRIBE", d: { user_ids } });
const heard = ({ frames }: TestClient, userId: string) =>
  frames.filter(({ t, d }) => t === "PRESENCE_UPDATE" && d.user_id === userId).length;

describe("naming users whose presence one gets", () => {
  test("above the rate of a user the last op of each connection waits and counts; others do not wait", async () => {
    const { userId, friendId, friend, server_id } = await stage.createPair();
    const [lastId, otherId] = [await stage.rows.user(), await stage.rows.user()];
    for (const memberId of [lastId, otherId]) await stage.rows.member(server_id, memberId);
    const last = await connectClient(stage.second, lastId);
    const other = await subscriber(otherId);
    const clients = await Promise.all(Array.from({ length: 30 }, () => subscriber(userId)));
    const opsOfEach = 17;
    for (let op = 0; op < opsOfEach; op += 1) for (const client of clients) name(client, friendId);
    for (const client of clients) name(client, lastId);
    const isAnswered = (client: TestClient) => heard(client, lastId) > 0;
    await waitUntil(() => clients.some((client) => heard(client, friendId) > 0));
    name(other, friendId);
    await other.receive("PRESENCE_UPDATE");
    expect(clients.every(isAnswered)).toBe(false);
    await waitUntil(() => clients.every(isAnswered), { what: "the last op of every connection" });
    const answers = clients.reduce((sum, client) => sum + heard(client, friendId), 0);
    expect(answers).toBeLessThan(clients.length * opsOfEach);
    // The set is that of the last op: the friend is not in it any more.
    const before = clients.map((client) => heard(client, friendId));
    friend.send({ op: "PRESENCE_UPDATE", d: { status: "dnd" } });
    await other.receive("PRESENCE_UPDATE", (d) => d.status === "dnd");
    last.send({ op: "PRESENCE_UPDATE", d: { status: "away" } });
    await Promise.all(clients.map((client) => client.receive("PRESENCE_UPDATE", (d) => d.status === "away")));
    expect(clients.map((client) => heard(client, friendId))).toEqual(before);
    await closeAll(...clients, other, last, friend);
  });
});
