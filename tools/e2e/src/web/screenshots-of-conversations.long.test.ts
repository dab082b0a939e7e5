import { DmChannel, DmMessage, type User } from "@parley/contracts";
import { createChannel, createServer, joinServer, type Page, postMessage, type UserClient } from "@parley/testing";
import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
import { runSql } from "../api/stages/admin-stage.js";
import { take, telephone } from "./screenshot-stage.js";
import { actInMenu, channelPath, messageWith, useWebStage } from "./web-stage.js";

const stage = useWebStage();
let ella: UserClient;
let scene: { workshop: string; direct: string };

const board = `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200" viewBox="0 0 320 320">${Array.from(
  { length: 64 },
  (_, n) => {
    const [x, y] = [n % 8, Math.floor(n / 8)];
    return `<rect x="${x * 40}" y="${y * 40}" width="40" height="40" fill="${(x + y) % 2 ? "#7d945d" : "#eeeed2"}"/>`;
  },
).join(
  "",
)}<circle cx="180" cy="140" r="14" fill="#222"/><circle cx="140" cy="180" r="14" fill="#fff" stroke="#222"/></svg>`;
const portrait = (from: string, to: string) => `<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256">
  <defs><linearGradient id="g" x2="1" y2="1"><stop stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient></defs>
  <rect width="256" height="256" fill="url(#g)"/><circle cx="128" cy="100" r="44" fill="#fff" opacity=".85"/>
  <path d="M40 256a88 88 0 0 1 176 0z" fill="#fff" opacity=".85"/></svg>`;
const png = async (svg: string) => Uint8Array.from(await sharp(Buffer.from(svg)).png().toBuffer());

async function upload(
  user: UserClient,
  path: string,
  field: string,
  file: { bytes: Uint8Array<ArrayBuffer>; name: string },
) {
  const form = new FormData();
  form.append(field, new Blob([file.bytes], { type: "image/png" }), file.name);
  return user.send("POST", path, { body: form });
}

beforeAll(async () => {
  const [owner, finn, gina, hugo] = await Promise.all(
    ["ella", "finn", "gina", "hugo"].map((username) => stage.client.register({ username })),
  );
  if (owner === undefined || finn === undefined || gina === undefined || hugo === undefined) throw new Error("Nobody");
  ella = owner;
  await upload(owner, "/users/@me/avatar", "image", {
    bytes: await png(portrait("#e67e22", "#c0392b")),
    name: "a.png",
  });
  await upload(gina, "/users/@me/avatar", "image", { bytes: await png(portrait("#16a085", "#2e86de")), name: "a.png" });
  scene = { workshop: await fillWorkshop(owner, [finn, gina, hugo]), direct: await fillDirect(owner, finn) };
  await befriend(owner, [gina, hugo]);
});

/** A channel with code, a card, a quote and reactions. @returns its path */
async function fillWorkshop(owner: UserClient, others: readonly UserClient[]): Promise<string> {
  const [finn, gina, hugo] = others;
  if (finn === undefined || gina === undefined || hugo === undefined) throw new Error("Nobody");
  const server = await createServer(owner, { name: "Engine room", is_public: true });
  for (const user of others) await joinServer(user, server.id);
  await hugo.patch(`/servers/${server.id}/members/@me`, { nickname: "The rook" });
  const channel = await createChannel(owner, server.id, { name: "workshop", topic: "How the engine thinks" });
  await runSql(
    stage.stack.databaseUrl,
    `WITH sent AS (INSERT INTO messages (channel_id, server_id, author_id, content) VALUES ($1, $2, $3, $4) RETURNING id)
     INSERT INTO message_previews (message_id, previews) SELECT id, $5::jsonb FROM sent`,
    [
      channel.id,
      server.id,
      gina.user.id,
      "A good start: https://chess.example/alpha-beta",
      JSON.stringify([
        {
          url: "https://chess.example/alpha-beta",
          title: "Alpha–beta pruning, step by step",
          description: "Why a good order of moves halves the depth of the tree, with a small engine to try it.",
          image: null,
          site_name: "Chess programming",
        },
      ]),
    ],
  );
  const { id } = await postMessage(
    finn,
    channel.id,
    "It finds the mate now:\n```ts\nfunction search(depth: number, alpha: number, beta: number): number {\n  if (depth === 0) return evaluate(); // quiet positions only\n  for (const move of orderedMoves()) {\n    alpha = Math.max(alpha, -search(depth - 1, -beta, -alpha));\n    if (alpha >= beta) return beta;\n  }\n  return alpha;\n}\n```",
  );
  for (const user of [owner, gina, hugo]) await react(user, `/channels/${channel.id}/messages/${id}`, "⭐");
  await react(gina, `/channels/${channel.id}/messages/${id}`, "♥");
  await postMessage(hugo, channel.id, "> It finds the mate now\n\nIn how many plies? ||I bet five.||");
  await owner.post(`/channels/${channel.id}/ack`);
  return channelPath(channel);
}

async function react(user: UserClient, message: string, emoji: string): Promise<void> {
  expect((await user.put(`${message}/reactions/${encodeURIComponent(emoji)}`)).status).toBe(204);
}

/** A conversation with a reply, a reaction, an edit and files. @returns its path */
async function fillDirect(owner: UserClient, finn: UserClient): Promise<string> {
  const { id } = (await owner.post("/dm-channels", { user_id: finn.user.id })).expect(201, DmChannel);
  const path = `/dm-channels/${id}/messages`;
  const send = async (user: UserClient, body: object) => (await user.post(path, body)).expect(201, DmMessage);
  const question = await send(finn, { content: "Shall we go through Friday’s game tonigt?" });
  await finn.patch(`/dm-messages/${question.id}`, { content: "Shall we go through Friday’s game tonight?" });
  await send(owner, { content: "Gladly. At nine?", reply_to: question.id });
  const form = new FormData();
  form.append("payload_json", JSON.stringify({ content: "This is where I lost the thread:" }));
  form.append("files", new Blob([await png(board)], { type: "image/png" }), "move-23.png");
  form.append("files", new Blob(["1. d4 f5 2. e4 fxe4"], { type: "text/plain" }), "friday.txt");
  const sent = (await finn.send("POST", path, { body: form })).expect(201, DmMessage);
  await react(owner, `/dm-messages/${sent.id}`, "♥");
  await owner.post(`/dm-channels/${id}/ack`);
  return `/dm/${id}`;
}

/** Friends, a request and a block. */
async function befriend(owner: UserClient, [gina, hugo]: readonly UserClient[]): Promise<void> {
  if (gina === undefined || hugo === undefined) throw new Error("Nobody");
  const ask = (user: UserClient, other: Pick<User, "id">) => user.put(`/users/@me/friends/${other.id}`);
  await ask(gina, owner.user);
  await ask(owner, gina.user);
  await ask(hugo, owner.user);
  const blocked = await stage.client.register({ username: "spam_king" });
  await owner.put(`/users/@me/blocks/${blocked.user.id}`);
}

const asTelephone = (page: Page) => page.setViewportSize(telephone);

test("a conversation with a reply, a reaction, an edit and files, dark, and light on a telephone", async () => {
  const page = await stage.visit(ella, { path: scene.direct });
  const drawn = async () => {
    await messageWith(page, "where I lost")
      .getByRole("button", { name: /1 reaction/ })
      .waitFor();
    await messageWith(page, "where I lost").locator("img[alt='move-23.png']").and(page.locator(":visible")).waitFor();
    await messageWith(page, "At nine")
      .getByRole("button", { name: /tonight/ })
      .waitFor();
    const width = "document.querySelector('article img[alt=\"move-23.png\"]').naturalWidth";
    await expect.poll(() => page.evaluate<number>(width)).toBeGreaterThan(0);
  };
  await drawn();
  await take(page, "direct-dark");
  await page.emulateMedia({ colorScheme: "light" });
  await asTelephone(page);
  await page.reload();
  await drawn();
  await take(page, "telephone-direct");
  await page.context().close();
});

test("code, a card and a quote, light, and dark on a telephone; who reacted, a nickname and a date", async () => {
  const page = await stage.visit(ella, { path: scene.workshop, colorScheme: "light" });
  const drawn = async () => {
    await messageWith(page, "finds the mate now:").locator("[data-kind=keyword]").first().waitFor();
    await messageWith(page, "A good start").getByText("step by step").waitFor();
    await messageWith(page, "finds the mate now:")
      .getByRole("button", { name: /3 reactions/ })
      .waitFor();
  };
  await drawn();
  await page.getByRole("region", { name: "Members" }).getByRole("button", { name: "The rook" }).waitFor();
  await take(page, "contents-light");
  await page.getByRole("region", { name: "Members" }).getByRole("button", { name: "ella" }).click({ button: "right" });
  await page.getByRole("menuitem", { name: "Change nickname" }).click();
  await page.getByRole("dialog", { name: "Change nickname" }).getByRole("textbox").fill("Ella, white pieces");
  await take(page, "nickname");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Discard" }).click();
  await page.emulateMedia({ colorScheme: "dark" });
  await actInMenu(page, "finds the mate now:", "Who reacted");
  await page.getByRole("dialog", { name: "Reactions" }).getByText("The rook").waitFor();
  await take(page, "who-reacted");
  await page.keyboard.press("Escape");
  await asTelephone(page);
  await page.reload();
  await drawn();
  await take(page, "telephone-contents");
  await page
    .getByRole("button", { name: /^More options for/ })
    .first()
    .click();
  await page.getByRole("menuitem", { name: "Jump to a date" }).click();
  await page.getByLabel("Day").fill("2026-01-02");
  await take(page, "telephone-date");
  await page.context().close();
});

test("friends, light, and dark on a telephone; a picture that is chosen", async () => {
  const page = await stage.visit(ella, { path: "/friends", colorScheme: "light" });
  await page.getByRole("main").getByText("gina").waitFor();
  await page.getByRole("main").getByText("spam_king").waitFor();
  await take(page, "friends-light");
  await page.emulateMedia({ colorScheme: "dark" });
  await asTelephone(page);
  await page.reload();
  await page.getByRole("main").getByText("spam_king").waitFor();
  await take(page, "telephone-friends");
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`${stage.stack.edgeUrl}/app/account`);
  const buffer = Buffer.from(await png(portrait("#8e44ad", "#2980b9")));
  await page.getByLabel("Picture file").setInputFiles({ name: "ella.png", mimeType: "image/png", buffer });
  await page.locator('main img[src^="blob:"]').waitFor();
  await take(page, "picture");
  await page.context().close();
});
