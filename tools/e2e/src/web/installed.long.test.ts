import { createHash } from "node:crypto";
import { cp, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFreePort, readApplication, startEdge } from "@parley/local-stack";
import { createServerWithMembers, type Page, runContext } from "@parley/testing";
import sharp from "sharp";
import { expect, onTestFinished, test } from "vitest";
import {
  channelPath,
  composer,
  installMsMax,
  messageWith,
  sentMessage,
  useWebStage,
  waitForWorker,
  workerTestMsMax,
  write,
} from "./web-stage.js";

// The application with its service worker: installed, and changed to another version.

const stage = useWebStage();
const { root } = runContext();

/** Serves a copy of the application, in which a build can be put in the place of the one before it. */
async function serveCopy() {
  const folder = await mkdtemp(join(tmpdir(), "parley-versions-"));
  const application = await readApplication(root);
  await cp(application.folder, folder, { recursive: true, filter: (name) => !/\.(?:br|gz)$/.test(name) });
  const edge = await startEdge({
    hosts: ["127.0.0.1"],
    port: await findFreePort(),
    apis: () => stage.stack.apis.map(({ url }) => url),
    gateways: () => stage.stack.gateways.map(({ url }) => url),
    application: { ...application, folder },
  });
  onTestFinished(async () => {
    await edge.close();
    await rm(folder, { recursive: true, force: true });
  });
  return { folder, url: `http://127.0.0.1:${edge.port}` };
}

/** Replaces the files by those of another version: with other names, which all of them use. */
async function deployNextVersion(folder: string): Promise<void> {
  const assets = join(folder, "assets");
  const names = await readdir(assets);
  const renamed = new Map(names.map((name) => [name, name.replace(/-([^.-]{3})([^.]*)\./, "-$2$1.")]));
  const withNewNames = (text: string) =>
    [...renamed].reduce((changed, [name, next]) => changed.replaceAll(name, next), text);
  const hashOf = (text: string) => createHash("sha256").update(text).digest("base64");
  const page = await readFile(join(folder, "index.html"), "utf8");
  const nextPage = withNewNames(page).replace("<title>", "<title>New ");
  const worker = withNewNames(await readFile(join(folder, "sw.js"), "utf8"));
  for (const [name, next] of renamed) {
    const text = await readFile(join(assets, name), "utf8");
    await writeFile(join(assets, name), withNewNames(text));
    await rename(join(assets, name), join(assets, next));
  }
  await writeFile(join(folder, "index.html"), nextPage);
  await writeFile(join(folder, "sw.js"), worker.replaceAll(hashOf(page), hashOf(nextPage)));
}

test(
  "an open page has all of its parts after a deployment, and all pages change to the new version at once",
  async () => {
    const { owner, channel } = await createServerWithMembers(stage.client, 0);
    const { folder, url } = await serveCopy();
    const first = await stage.visit(owner, { hasWorker: true, origin: url, path: channelPath(channel) });
    await composer(first).waitFor();
    await waitForWorker(first);
    const scripts = (page: Page) =>
      page.evaluate<string>("document.querySelector('script[src*=start-], script[src*=main-]').getAttribute('src')");
    const old = await scripts(first);
    await deployNextVersion(folder);
    expect((await fetch(url + old)).status).toBe(404);
    await first.getByRole("button", { name: "Account settings" }).click();
    await first.getByRole("heading", { name: "Profile", level: 2 }).waitFor();
    await first.keyboard.press("Escape");

    await first.evaluate("navigator.serviceWorker.getRegistration().then((registration) => registration.update())");
    const line = (page: Page) => page.getByText("There is a new version of Parley.");
    await line(first).waitFor({ timeout: installMsMax });
    // One version at a time, also for a page that is opened now.
    const second = await first.context().newPage();
    await second.goto(`${url}/app${channelPath(channel)}`);
    await line(second).waitFor();
    expect(await scripts(second)).toBe(old);
    // Text that a reload would lose holds the page.
    await write(first, "Almost right");
    await messageWith(first, "Almost right").hover();
    await messageWith(first, "Almost right")
      .getByRole("toolbar")
      .getByRole("button", { name: "Edit", exact: true })
      .click();
    await second.getByRole("button", { name: "Reload" }).click();
    await expect.poll(() => scripts(second).catch(() => old)).not.toBe(old);
    await composer(second).waitFor();
    expect(await scripts(first)).toBe(old);
    await first.keyboard.press("Escape");
    await expect.poll(() => scripts(first).catch(() => old)).toBe(await scripts(second));
    await composer(first).waitFor();
  },
  workerTestMsMax,
);

test(
  "files are sent, shown and saved as without the service worker, and nothing of them is kept by it",
  async () => {
    const { owner, channel } = await createServerWithMembers(stage.client, 0);
    const page = await stage.visit(owner, { hasWorker: true, path: channelPath(channel) });
    await composer(page).waitFor();
    await waitForWorker(page);
    const picture = await sharp({ create: { width: 64, height: 48, channels: 3, background: "teal" } })
      .png()
      .toBuffer();
    const text = Buffer.alloc(500_000, "minutes ");
    await page.locator("input[type=file]").setInputFiles([
      { name: "view.png", mimeType: "image/png", buffer: picture },
      { name: "minutes.txt", mimeType: "text/plain", buffer: text },
    ]);
    await page.getByRole("button", { name: "Remove minutes.txt" }).waitFor();
    await write(page, "Both of them");
    const message = await sentMessage(page, "Both of them");
    const shown = message.getByRole("img", { name: "view.png" });
    await shown.waitFor();
    await expect
      .poll(() => page.evaluate<number>("document.querySelector('img[alt=\"view.png\"]').naturalWidth"))
      .toBe(64);
    const saved = page.waitForEvent("download");
    await message.getByRole("link", { name: /minutes\.txt/ }).click();
    expect(await readFile(await (await saved).path())).toEqual(text);
    const cached = await page.evaluate<string[]>(`(async () => {
    const all = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()));
    return all.flat().map(({ url }) => new URL(url).pathname);
  })()`);
    expect(cached.filter((name) => !name.startsWith("/app/"))).toEqual([]);
  },
  workerTestMsMax,
);
