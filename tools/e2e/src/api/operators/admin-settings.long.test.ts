import { AuthResponse } from "@parley/contracts";
import { connectGateway, createClient, type MortalStack, type RestClient, useMortalStack } from "@parley/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { createAdminStage } from "../stages/admin-stage.js";

const mortal = useMortalStack();
let stack: MortalStack;
let client: RestClient;
beforeAll(async () => {
  ({ stack, client } = await createAdminStage(mortal.stack));
});

describe("administrators", () => {
  test("administrators are those of PARLEY_ADMINS who were registered when a process started with it", async () => {
    const listed = await client.register({ username: "listed_one" });
    const env = { PARLEY_ADMINS: " listed_one, , listed_later" };
    const other = await stack.startApi({ env });
    const login = await createClient(other.url).post("/auth/login", listed);
    const { user, access_token } = login.expect(200, AuthResponse);
    expect(user.is_admin).toBe(true);
    const asListed = createClient(other.url, { authorization: `Bearer ${access_token}` });
    expect((await asListed.get("/admin/settings")).status).toBe(200);
    const socket = connectGateway(stack.edgeUrl, access_token);
    expect((await socket.ready).user.is_admin).toBe(true);
    await socket.close();
    const later = await createClient(other.url).register({ username: "listed_later" });
    expect(later.user.is_admin).toBe(false);
    expect((await later.get("/admin/settings")).status).toBe(403);
    await stack.dismiss(other);
    // A process without the name revokes the right that the setting granted.
    await stack.startApi();
    expect((await listed.get("/admin/settings")).status).toBe(403);
  });

  test("administrators are not those who registered a listed name that was free, until an operator starts the installation", async () => {
    const PARLEY_ADMINS = "listed_free, listed_real";
    const real = await client.register({ username: "listed_real" });
    const statusOf = async (user: RestClient) => (await user.get("/admin/settings")).status;
    const start = (operator: Record<string, string> = {}) => stack.startApi({ env: { PARLEY_ADMINS, ...operator } });
    const warnings = () => stack.output().filter((line) => line.includes("PARLEY_ADMINS without an account"));
    const api = await start();
    const before = { OPERATOR_STARTED_AT: new Date().toISOString() };
    expect(warnings().at(-1)).toContain('"free":["listed_free"],"registered_later":[]');
    const stranger = await client.register({ username: "listed_free" });
    expect((await real.delete("/users/@me", { password: real.password })).status).toBe(204);
    const successor = await client.register({ username: "listed_real" });
    // A crash, a second process, and a restart by the supervisor of an operator's earlier start.
    await api.kill();
    await api.restart();
    await start();
    expect(warnings().at(-1)).toContain('"free":[],"registered_later":["listed_free","listed_real"]');
    await stack.dismiss(await start(before));
    expect(await Promise.all([stranger, successor].map(statusOf))).toEqual([403, 403]);
    await stack.dismiss(await start({ OPERATOR_STARTED_AT: new Date().toISOString() }));
    expect(await Promise.all([stranger, successor].map(statusOf))).toEqual([200, 200]);
  });
});
