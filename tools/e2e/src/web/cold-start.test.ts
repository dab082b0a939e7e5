import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createServerWithMembers, type Page, postMessage, waitUntil } from "@parley/testing";
import { expect, test } from "vitest";
import { channelPath, composer, messageWith, useOwnWebStage } from "./web-stage.js";

// A stack of its own: where passkeys and single sign-on are offered, the login asks for their scripts, too.
const stage = useOwnWebStage();

const startRequestsMax = 30;
/** One of them reads the name and the logo of the installation. */
const loginRequestsMax = 9;
/**
 * As they are sent, compressed. The client is a part of it: about 25 bytes for each of its methods, 20 of which are of
 * passkeys and single sign-on. The code that reads the device's entries, whatever they contain, is 770 bytes.
 */
const loginScriptBytesMax = 86_000;
const quietMs = 500;

/** Opens a place without a session, and lists the requests from then on. */
async function visitCold(path: string) {
  const asked: string[] = [];
  let lastAt = 0;
  const page = await stage.visit(null, {
    path,
    prepare: async (created) => {
      created.on("request", (request) => {
        const { pathname, search } = new URL(request.url());
        asked.push(`${request.method()} ${pathname}${search}`);
        lastAt = Date.now();
      });
    },
  });
  const quiet = () => waitUntil(() => Date.now() - lastAt > quietMs, { what: "a page that asks for nothing" });
  return { page, asked, quiet };
}

/** The bytes of the scripts that a page has loaded, as they were sent. */
const scriptBytes = (page: Page) =>
  page.evaluate<number>(`performance.getEntriesByType("resource")
    .filter(({ name }) => name.endsWith(".js"))
    .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`);

test("the login is a few requests and a small script, without the texts of what comes after it", async () => {
  const { page, asked, quiet } = await visitCold("/");
  await page.getByRole("button", { name: "Log in", exact: true }).waitFor();
  await quiet();
  expect(asked).toSatisfy(({ length }) => length <= loginRequestsMax);
  expect(await scriptBytes(page)).toBeLessThanOrEqual(loginScriptBytesMax);
});

test("a cold start with a login takes at most 30 different requests, however many authors the channel shows", async () => {
  const { owner, members: authors, server, channel } = await createServerWithMembers(stage.client, 10);
  for (const author of authors) await postMessage(author, channel.id, `Hello from ${author.username}`);
  const { page, asked, quiet } = await visitCold(channelPath({ server_id: server.id, id: channel.id }));
  await page.getByRole("textbox", { name: "Username" }).fill(owner.username);
  await page.getByLabel("Password", { exact: true }).fill(owner.password);
  await page.getByRole("button", { name: "Log in", exact: true }).click();
  await composer(page).waitFor();
  // Every author is named, and the list of members is there.
  for (const { username } of authors)
    await messageWith(page, `Hello from ${username}`).getByText(username).first().waitFor();
  await page.getByRole("region", { name: "Members" }).getByText(owner.username).waitFor();
  await quiet();
  // Channels and messages that were read before READY are read again after it: on a slow machine two more requests.
  expect([...new Set(asked)]).toSatisfy(({ length }) => length <= startRequestsMax);
});

test("the script of the screens is fetched beside that of the first load for a logged-in user", async () => {
  const { owner, channel } = await createServerWithMembers(stage.client, 0);
  const page = await stage.visit(owner, {
    path: channelPath(channel),
    prepare: async (created) => {
      const asked = created.waitForRequest(/\/assets\/screens-[^/]*\.js$/);
      await created.route(/\/assets\/start-[^/]*\.js$/, async (route) => {
        await asked;
        await route.continue();
      });
    },
  });
  await composer(page).waitFor();
});

test("the connection of a logged-in user begins before the script of the first load, which goes on with it", async () => {
  const { owner, channel } = await createServerWithMembers(stage.client, 0);
  const sockets: string[] = [];
  const page = await stage.visit(owner, {
    path: channelPath(channel),
    prepare: async (created) => {
      const isReady = new Promise<void>((resolve) => {
        created.on("websocket", (socket) => {
          sockets.push(socket.url());
          socket.once("framereceived", () => resolve());
        });
      });
      await created.route(/\/assets\/start-[^/]*\.js$/, async (route) => {
        await isReady;
        await route.continue();
      });
    },
  });
  await composer(page).waitFor();
  await postMessage(owner, channel.id, "On the early connection");
  await messageWith(page, "On the early connection").waitFor();
  expect(sockets.length).toBe(1);
});

test("the scripts of the application are without the schemas of the services", async () => {
  const folder = join(import.meta.dirname, "../../../../packages/web/dist/assets");
  const scripts = (await readdir(folder)).filter((name) => name.endsWith(".js"));
  expect(scripts.length).toBeGreaterThan(10);
  for (const name of scripts)
    expect([name, (await readFile(join(folder, name), "utf8")).includes("_zod")]).toEqual([name, false]);
});
