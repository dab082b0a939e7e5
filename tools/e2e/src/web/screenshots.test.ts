import { mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import {
  assignRole,
  createChannel,
  createRole,
  createServer,
  joinServer,
  type Page,
  postMessage,
  type RestClient,
  runContext,
  type UserClient,
} from "@parley/testing";
import { beforeAll, expect, test } from "vitest";
import { channelPath, composer, messageWith, useWebStage, waitForCount } from "./web-stage.js";

const sizeMax = 200 * 1_024;

const stage = useWebStage();
let folder: string;
let ada: UserClient;
let path: string;

beforeAll(async () => {
  const { root, folder: ofRun } = runContext();
  // Asked for, they replace those of the documentation.
  folder = process.env.UPDATE_SCREENSHOTS === "1" ? join(root, "docs", "screenshots") : join(ofRun, "screenshots");
  await mkdir(folder, { recursive: true });
  ({ ada, path } = await fillClub(stage.client));
});

/** A server in which people have talked. */
async function fillClub(client: RestClient): Promise<{ ada: UserClient; path: string }> {
  const [owner, ben, cleo, dirk] = await Promise.all(
    ["ada", "ben", "cleo", "dirk"].map((username) => client.register({ username })),
  );
  if (owner === undefined || ben === undefined || cleo === undefined || dirk === undefined) throw new Error("Nobody");
  const server = await createServer(owner, { name: "Chess club", is_public: true });
  await createServer(owner, { name: "Gardeners" });
  for (const user of [ben, cleo, dirk]) await joinServer(user, server.id);
  const channel = await createChannel(owner, server.id, { name: "general", topic: "Everything about the club" });
  for (const name of ["openings", "endgames"]) await createChannel(owner, server.id, { name, category: "Study" });
  const results = await createChannel(owner, server.id, { name: "results", category: "Tournament" });
  await createChannel(owner, server.id, { name: "lounge", type: "voice", category: "Voice" });
  const arbiter = await createRole(owner, server.id, { name: "Arbiter", color: "#2e86de", permissions: 4 });
  await assignRole(owner, arbiter, cleo);
  await owner.patch("/users/@me", { custom_status: "Preparing round 3" });

  const say = (user: UserClient, content: string) => postMessage(user, channel.id, content);
  await say(
    owner,
    "Round 3 is on **Friday at seven**. Pairings:\n\n| Board | White | Black |\n|---|---|---|\n| 1 | Ben | Cleo |\n| 2 | Dirk | Ada |",
  );
  const { id } = await say(ben, "White again, finally! ♞");
  for (const [user, emoji] of [
    [owner, "♥"],
    [cleo, "😄"],
    [dirk, "♥"],
  ] as const) {
    await user.put(`/channels/${channel.id}/messages/${id}/reactions/${encodeURIComponent(emoji)}`);
  }
  await cleo.post(`/channels/${channel.id}/messages`, { content: "We will see about that.", reply_to: id });
  const question = await say(dirk, "How do you meet `1. d4 f5 2. e4`, the Staunton Gambit?");
  await cleo.post(`/channels/${channel.id}/messages/${question.id}/thread`, {
    content: "Take it, and give it back in time",
  });
  await say(cleo, "```\n1. d4 f5\n2. e4 fxe4\n3. Nc3 Nf6\n```\nThen *calmly* develop.");
  await owner.post(`/channels/${channel.id}/polls`, {
    question: "Analysis afterwards?",
    options: ["In the bar", "At the club"],
  });
  await say(ben, `@${owner.username} can I bring a guest?`);
  await postMessage(dirk, results.id, `@${owner.username} please check board 4`);
  return { ada: owner, path: channelPath(channel) };
}

async function take(page: Page, name: string): Promise<void> {
  await page.evaluate("document.fonts.ready.then(() => undefined)");
  const file = join(folder, `${name}.png`);
  await page.screenshot({ path: file, animations: "disabled" });
  expect((await stat(file)).size).toBeLessThan(sizeMax);
}

/** Waits for what is read after the messages: reactions, and the names of authors. */
async function untilDrawn(page: Page): Promise<void> {
  await messageWith(page, "White again")
    .getByRole("button", { name: /2 reactions/ })
    .waitFor();
  await messageWith(page, "calmly").getByRole("button", { name: "cleo", exact: true }).waitFor();
  await waitForCount(page.getByRole("region", { name: "Messages" }).getByText("…", { exact: true }), 0);
}

test.each(["dark", "light"] as const)("a channel in %s colours", async (colorScheme) => {
  const page = await stage.visit(ada, { path, colorScheme });
  await untilDrawn(page);
  await page.getByRole("region", { name: "Members" }).getByRole("button", { name: "dirk" }).waitFor();
  await take(page, `channel-${colorScheme}`);
  await page.context().close();
});

test("a channel and the way to others on a telephone", async () => {
  const page = await stage.visit(ada, { path, viewport: { width: 390, height: 780 } });
  await composer(page).waitFor();
  await untilDrawn(page);
  await take(page, "telephone");
  await page.getByRole("button", { name: "Servers and channels" }).click();
  await page.getByRole("navigation", { name: "Channels" }).waitFor();
  await take(page, "telephone-channels");
  await page.context().close();
});

test("the settings of a server, a voice channel and the login", async () => {
  const page = await stage.visit(ada, { path: `${path.split("/channels/")[0]}/settings/roles` });
  await page.getByRole("listitem").filter({ hasText: "Arbiter" }).waitFor();
  await take(page, "settings");
  await page.goto(`${stage.stack.edgeUrl}/app${path}`);
  await page.getByRole("navigation", { name: "Channels" }).getByRole("link", { name: "lounge" }).click();
  await page.getByText("Nobody is here yet.").waitFor();
  await take(page, "voice");
  await page.context().close();
  const stranger = await stage.visit(null);
  await stranger.getByRole("heading", { name: "Log in to Parley" }).waitFor();
  await take(stranger, "login");
  await stranger.context().close();
});
