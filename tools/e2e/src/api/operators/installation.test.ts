import { AuthResponse, errorBody as error, User } from "@parley/contracts";
import { createClient, type MortalStack, type RestClient, type UserClient, useMortalStack } from "@parley/testing";
import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { createAdminStage, readAdminLog } from "../stages/admin-stage.js";

const mortal = useMortalStack();
let stack: MortalStack;
let client: RestClient;
let admin: UserClient;
beforeAll(async () => {
  ({ stack, client, admin } = await createAdminStage(mortal.stack));
});

const usual = {
  ...{ name: "Parley", description: null, logo_url: null, accent: null, contact: null },
  ...{ terms_url: null, privacy_url: null, imprint_url: null, version: expect.stringMatching(/^\d+\.\d+\.\d+/) },
  registration: { mode: "open", email: "optional", email_domains: null, approval: false, challenge: false },
  features: { push: true, mail: true, sso: true, voice_relay: true, import: true },
};
const change = async (settings: object) => {
  expect((await admin.patch("/admin/settings", settings)).status).toBe(200);
};

test("everybody reads name, colour, contact, pages and registration of the installation, at every api as soon as they change", async () => {
  expect((await client.get("/instance")).body).toEqual(usual);
  const texts = { name: "  Chess house ", description: "For players", accent: "#AABBCC", contact: "desk@example.com" };
  await change({ ...texts, terms: "# Rules", registration_mode: "invite_only" });
  for (const { url } of stack.apis) {
    const answer = await createClient(url).get("/instance");
    expect(answer.headers.get("cache-control")).toBe("public, max-age=60");
    expect(answer.body).toEqual({
      ...{ ...usual, ...texts, name: "Chess house", terms_url: "/terms" },
      registration: { ...usual.registration, mode: "invite_only" },
    });
  }
  await change({ name: "Parley", description: "", accent: "", contact: null, terms: "", registration_mode: "open" });
  expect((await client.get("/instance")).body).toEqual(usual);
});

test("a setting is a key of the settings only where it differs from its default, and null does not change the name", async () => {
  const keys = ["id", "registration_mode", "updated_at", "updated_by"];
  const read = async () => Object.keys((await admin.get("/admin/settings")).body as object).toSorted();
  expect(await read()).toEqual(keys);
  await change({ name: "House", contact: "desk" });
  expect(await read()).toEqual(["contact", ...keys.slice(0, 1), "name", ...keys.slice(1)]);
  await change({ name: null, contact: null });
  expect(await read()).toEqual([...keys.slice(0, 1), "name", ...keys.slice(1)]);
  await change({ name: "Parley" });
  expect(await read()).toEqual(keys);
});

test("terms, privacy and imprint are pages without scripts and pictures, and are missing until they are written", async () => {
  for (const page of ["terms", "privacy", "imprint"]) {
    const address = `${stack.edgeUrl}/${page}`;
    expect((await fetch(address)).status).toBe(404);
    await change({ [page]: "# Be kind\n\n<script>x</script> ![a](https://example.com/a.png) [b](javascript:c)" });
    const answer = await fetch(address);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'; style-src 'self'");
    const html = await answer.text();
    expect(html).toContain("<h1>Be kind</h1>");
    expect(html).not.toMatch(/<script|<img|href="javascript/);
    await change({ [page]: null });
    expect((await fetch(address)).status).toBe(404);
  }
});

test("the log notes the settings of the installation, and of long texts their length", async () => {
  await change({ contact: "desk", terms: "x".repeat(50_000) });
  const [entry] = await readAdminLog(admin, "?limit=1");
  expect(entry).toMatchObject({ action: "settings_update", details: { contact: "desk", terms_length: 50_000 } });
  await change({ contact: null, terms: null });
});

test("objects of settings without a value to change leave the settings and the log as they are", async () => {
  await change({ contact: "desk" });
  const before = (await admin.get("/admin/settings")).body;
  for (const group of ["registration", "quota"])
    for (const value of [{}, { unknown: 1 }, null]) await change({ [group]: value });
  expect((await admin.get("/admin/settings")).body).toEqual(before);
  const [entry] = await readAdminLog(admin, "?limit=1");
  expect(entry?.details).toEqual({ contact: "desk" });
  await change({ contact: null });
});

test("registering needs the terms where there are some, and an account accepts them again when it is asked to", async () => {
  const before = await client.register();
  await change({ terms: "First" });
  const register = (fields: object) =>
    client.post("/auth/register", { username: `reader_${Date.now()}`, password: "12345678", ...fields });
  for (const fields of [{}, { accepted_terms: false }, { accepted_terms: "true" }]) {
    const answer = await register(fields);
    expect([answer.status, answer.body]).toEqual([400, error("Accept the terms first")]);
  }
  const { access_token } = (await register({ accepted_terms: true })).expect(201, AuthResponse);
  const newcomer = client.withAuthorization(`Bearer ${access_token}`);
  const outdated = async (by: RestClient) => (await by.get("/users/@me")).expect(200, User).terms_outdated;
  // A change alone asks nobody.
  await change({ terms: "Second" });
  expect([await outdated(before), await outdated(newcomer)]).toEqual([undefined, undefined]);
  await change({ reaccept: true });
  expect([await outdated(before), await outdated(newcomer)]).toEqual([true, true]);
  expect((await newcomer.post("/users/@me/terms")).status).toBe(204);
  await change({ terms: "Third" });
  expect([await outdated(before), await outdated(newcomer)]).toEqual([true, undefined]);
  await change({ terms: null });
  expect([await outdated(before), await outdated(newcomer)]).toEqual([undefined, undefined]);
  const wrong = await admin.patch("/admin/settings", { reaccept: "yes" });
  expect([wrong.status, wrong.body]).toEqual([400, error("reaccept must be a boolean")]);
});

test("the logo is a picture that everybody may read until it is removed or replaced", async () => {
  const Logo = z.object({ logo_url: z.string() });
  const logoOf = async () => ((await client.get("/instance")).body as { logo_url: unknown }).logo_url;
  const picture = (background: string) =>
    sharp({ create: { width: 80, height: 80, channels: 3, background } })
      .png()
      .toBuffer();
  const send = async (by: RestClient, color: string) => {
    const body = new FormData();
    body.append("image", new Blob([Uint8Array.from(await picture(color))]), "logo.png");
    return by.send("PUT", "/admin/settings/logo", { body });
  };
  const set = async (color: string) => (await send(admin, color)).expect(200, Logo).logo_url;
  const [red, blue] = [await set("red"), await set("blue")];
  expect(await logoOf()).toBe(blue);
  expect((await fetch(`${stack.edgeUrl}${blue}?size=64`)).status).toBe(200);
  await expect.poll(async () => (await fetch(`${stack.edgeUrl}${red}?size=64`)).status).toBe(404);
  const [entry] = await readAdminLog(admin, "?limit=1");
  expect(entry).toMatchObject({ action: "settings_update", details: { logo: true } });
  expect((await send(await client.register(), "red")).status).toBe(403);
  expect((await admin.delete("/admin/settings/logo")).status).toBe(204);
  expect(await logoOf()).toBe(null);
});

test.each([
  [{ name: "x".repeat(65) }, "The name of the installation must be 1-64 characters"],
  [{ name: " " }, "The name of the installation must be 1-64 characters"],
  [{ description: "x".repeat(301) }, "The description of the installation must be at most 300 characters"],
  [{ accent: "red" }, "accent must be a hex colour"],
  [{ terms: "x".repeat(50_001) }, "terms must be at most 50000 characters"],
  [{ privacy: 5 }, "privacy must be at most 50000 characters"],
  [{ imprint: "\u0000" }, "imprint must be at most 50000 characters"],
  [{ contact: "x".repeat(201) }, "contact must be at most 200 characters"],
])("the settings refuse %j", async (settings, text) => {
  const answer = await admin.patch("/admin/settings", settings);
  expect([answer.status, answer.body]).toEqual([400, error(text)]);
});
