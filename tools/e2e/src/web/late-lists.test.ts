import { createServerWithMembers, postMessage, type ServerFixture } from "@parley/testing";
import { beforeEach, expect, test } from "vitest";
import { channelPath, composer, holdAnswer, useWebStage, waitForCount } from "./web-stage.js";

// A list is read while its reader already changes it, or asks for another one.

const stage = useWebStage();
let fixture: ServerFixture;
beforeEach(async () => {
  fixture = await createServerWithMembers(stage.client, 0);
});

const settings = (section: string) => `/servers/${fixture.server.id}/settings/${section}`;

test("an entry that is added while a list is read is in the list", async () => {
  let answer = { given: Promise.resolve(), release: () => {} };
  const page = await stage.visit(fixture.owner, {
    path: settings("automod"),
    prepare: async (empty) => {
      answer = await holdAnswer(empty, /\/automod\/words$/);
    },
  });
  await answer.given;
  const added = page.waitForResponse(
    (response) => response.url().endsWith("/automod/words") && response.request().method() === "POST",
  );
  await page.getByRole("textbox", { name: "Word" }).fill("Oxymoron");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await added;
  answer.release();
  await page.getByRole("button", { name: /^Remove oxymoron$/i }).waitFor();
  await page.context().close();
});

test("a page of results that is late is not added to the results for other words", async () => {
  const { owner, channel } = fixture;
  for (let n = 1; n <= 26; n += 1) await postMessage(owner, channel.id, `Walnut ${n}`);
  await postMessage(owner, channel.id, "Chestnut");
  const page = await stage.visit(owner, { path: channelPath(channel) });
  await composer(page).waitFor();
  await page.getByRole("button", { name: "Search" }).click();
  const dialog = page.getByRole("dialog", { name: "Search" });
  const found = dialog.getByRole("listitem");
  await dialog.getByRole("searchbox").fill("walnut");
  await waitForCount(found, 25);
  const answer = await holdAnswer(page, /\/search\?.*before=/);
  await dialog.getByRole("button", { name: "More results" }).click();
  await answer.given;
  await dialog.getByRole("searchbox").fill("chestnut");
  await waitForCount(found, 1);
  const late = page.waitForResponse((response) => response.url().includes("before="));
  answer.release();
  await (await late).finished();
  await page.evaluate("new Promise(requestAnimationFrame)");
  expect(await found.count()).toBe(1);
  await page.context().close();
});

test("a webhook is turned on and off by what the server answers, also while the list is read again", async () => {
  const { owner, server } = fixture;
  const body = { name: "Bridge", url: "https://example.com/hook", event_types: ["message.created"] };
  expect((await owner.post(`/servers/${server.id}/webhooks`, body)).status).toBe(201);
  const page = await stage.visit(owner, { path: settings("webhooks") });
  const turnOff = page.getByRole("button", { name: "Turn off" });
  await turnOff.waitFor();
  const answer = await holdAnswer(page, /\/webhooks$/);
  await turnOff.click();
  await answer.given;
  await page.getByRole("button", { name: "Turn on" }).waitFor();
  answer.release();
  await page.getByRole("button", { name: "Turn on" }).click();
  await turnOff.waitFor();
  await page.context().close();
});
