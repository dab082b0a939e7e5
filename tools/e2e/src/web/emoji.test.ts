import { createServerWithMembers } from "@parley/testing";
import { expect, test } from "vitest";
import { channelPath, composer, useWebStage } from "./web-stage.js";

// Which files of the build a page asks for: page tests have none.

const stage = useWebStage();

test("emoji are loaded when they are first asked for, and again after that has failed", async () => {
  const asked: string[] = [];
  let isLost = true;
  const { owner, channel } = await createServerWithMembers(stage.client, 0);
  const page = await stage.visit(owner, {
    path: channelPath(channel),
    prepare: async (fresh) => {
      fresh.on("request", (request) => {
        const name = /\/assets\/(emoji-(?:english|german|arabic|picker))-[^/]*\.js/.exec(request.url())?.[1];
        if (name !== undefined) asked.push(name);
      });
      for (const address of [/\/assets\/emoji-english-[^/]*\.js$/, /\/app\/$/]) {
        await fresh.route(address, (route) =>
          isLost && !route.request().isNavigationRequest() ? route.abort("internetdisconnected") : route.continue(),
        );
      }
    },
  });
  await composer(page).fill("Just words");
  expect(asked).toEqual([]);
  await page.getByRole("button", { name: "Emoji", exact: true }).click();
  const again = page.getByRole("button", { name: "Try again" });
  await again.waitFor();
  isLost = false;
  await again.click();
  await page.getByRole("region", { name: "Emoji" }).getByRole("searchbox").waitFor();
  expect(new Set(asked)).toEqual(new Set(["emoji-english", "emoji-picker"]));
});
