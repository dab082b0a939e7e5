import { Bot, BotProfile, Member, Role } from "@parley/contracts";
import { createServer, waitUntil } from "@parley/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { findingsInBothSchemes } from "./barriers.js";
import { chooseInRow } from "./row-menu.js";
import { copyWith, registerAs, useWebStage, waitUntilGone } from "./web-stage.js";

const stage = useWebStage();
const managing = "Pin messages and delete other people’s";
const CreatedBot = z.object({ bot: z.object({ id: z.string(), user_id: z.string() }) });
const OwnBots = z.object({ bots: z.array(Bot) });
const makeBot = async (owner: Awaited<ReturnType<typeof registerAs>>) =>
  (await owner.post("/bots", { name: "Chess", description: "Plays chess" })).expect(201, CreatedBot).bot;

test("a bot is made public in its settings, and added with its link by somebody else", async () => {
  const ada = await registerAs(stage.client, "ada");
  const bot = await makeBot(ada);
  const page = await stage.visit(ada, { path: "/account/bots" });
  const row = page.getByRole("listitem").filter({ hasText: "Chess" });
  await chooseInRow(row, "Adding it to servers");
  const settings = page.getByRole("dialog", { name: "Adding Chess to servers" });
  await settings.getByLabel("Everybody may add it").check();
  await settings.getByLabel("Send messages").check();
  await settings.getByLabel(managing).check();
  expect(await findingsInBothSchemes(page)).toEqual([]);
  const link = await copyWith(settings.getByRole("button", { name: "Copy" }));
  await settings.getByRole("button", { name: "Save" }).click();
  await waitUntilGone(settings);

  const ben = await registerAs(stage.client, "ben");
  const club = await createServer(ben, { name: "Chess club" });
  await createServer(ben, { name: "Book club" });
  const elsewhere = await createServer(ada, { name: "Not theirs", is_public: true });
  expect((await ben.post(`/servers/${elsewhere.id}/join`)).status).toBe(201);
  // Without a session, the link leads through the login.
  const bensPage = await stage.visit(null, { path: new URL(link).pathname.replace("/app", "") });
  await bensPage.getByLabel("Username").fill(ben.username);
  await bensPage.getByLabel("Password").fill(ben.password);
  await bensPage.getByRole("button", { name: "Log in" }).click();
  await bensPage.getByRole("heading", { name: "Add Chess to a server" }).waitFor();
  await bensPage.getByText("Plays chess").waitFor();
  const server = bensPage.getByLabel("Server", { exact: true });
  await server.waitFor();
  expect(await server.getByRole("option").allTextContents()).toEqual(["Chess club", "Book club"]);
  expect(await bensPage.getByRole("checkbox").count()).toBe(2);
  expect(await findingsInBothSchemes(bensPage)).toEqual([]);
  await bensPage.getByLabel(managing).uncheck();
  await server.selectOption({ label: "Chess club" });
  await bensPage.getByRole("button", { name: "Add", exact: true }).click();
  await bensPage.getByText("Chess has been added.").waitFor();
  await waitUntil(() => new URL(bensPage.url()).pathname.startsWith(`/app/servers/${club.id}`));
  const member = (await ben.get(`/servers/${club.id}/members/${bot.user_id}`)).expect(200, Member);
  expect(member.roles.map(({ name }) => name)).toEqual(["Chess"]);
  const roles = (await ben.get(`/servers/${club.id}/roles`)).expect(200, z.array(Role));
  expect(roles.find(({ name }) => name === "Chess")?.permissions).toBe(2);

  await bensPage.goto(link);
  await server.selectOption({ label: "Chess club" });
  await bensPage.getByRole("button", { name: "Add", exact: true }).click();
  await bensPage.getByRole("alert").filter({ hasText: "Already a member" }).waitFor();
});

test("the URL where a bot is asked is set in its settings, and its secret is shown once", async () => {
  const ada = await registerAs(stage.client, "ada");
  const { id } = await makeBot(ada);
  const page = await stage.visit(ada, { path: "/account/bots" });
  const row = page.getByRole("listitem").filter({ hasText: "Chess" });
  const settings = page.getByRole("dialog", { name: "Adding Chess to servers" });
  const url = settings.getByLabel("URL where it is asked");
  const stored = async () => (await ada.get("/bots")).expect(200, OwnBots).bots.find((bot) => bot.id === id);
  const secret = page.getByText("Requests to the URL are signed with it");
  await chooseInRow(row, "Adding it to servers");
  await url.fill("https://bots.example.com/chess");
  await settings.getByRole("button", { name: "Save" }).click();
  await secret.waitFor();
  expect(await copyWith(page.getByRole("button", { name: "Copy" }))).toMatch(/^[0-9a-f]{64}$/);
  expect((await stored())?.interactions_url).toBe("https://bots.example.com/chess");
  await page.reload();
  await chooseInRow(row, "Adding it to servers");
  expect(await url.inputValue()).toBe("https://bots.example.com/chess");
  // What is saved with the same URL makes no new secret.
  await settings.getByLabel("Everybody may add it").check();
  await settings.getByRole("button", { name: "Save" }).click();
  await waitUntilGone(settings);
  expect(await secret.count()).toBe(0);
  await chooseInRow(row, "Adding it to servers");
  await url.fill("");
  await settings.getByRole("button", { name: "Save" }).click();
  await waitUntilGone(settings);
  expect(await stored()).toMatchObject({ interactions_url: null, is_public: true });
});

test("a bot that is not public can be added by nobody but its creator", async () => {
  const ada = await registerAs(stage.client, "ada");
  const bot = await makeBot(ada);
  const ben = await registerAs(stage.client, "ben");
  const page = await stage.visit(ben, { path: `/add-bot/${bot.id}` });
  await page.getByRole("heading", { name: "No such bot" }).waitFor();
  expect(await findingsInBothSchemes(page)).toEqual([]);
  const own = await stage.visit(ada, { path: `/add-bot/${bot.id}` });
  await own.getByText("There is no server that you may add bots to.").waitFor();
  expect((await ada.get(`/bots/${bot.id}/profile`)).expect(200, BotProfile).is_public).toBe(false);
});
