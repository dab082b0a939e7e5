import type { Embed } from "@parley/client";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { openWithBot } from "../../../../page-stage/bot.js";
import { findingsInBothSchemes } from "../../../../page-stage/findings.js";
import { shown } from "../../../../page-stage/seeing.js";

test("what webhooks and bots send is shown without asking strangers", async () => {
  const { post } = await openWithBot();
  performance.clearResourceTimings();
  const proxy_url = "/embed-pictures?url=https%3A%2F%2Fbuilds.example%2Fgraph.png&signature=0a";
  const embed: Embed = {
    ...{ title: "Build 412", description: null, url: null, color: "#3ba55d", timestamp: null },
    ...{ author: null, footer: null, thumbnail: null },
    image: { url: "https://builds.example/graph.png", proxy_url },
    fields: [{ name: "Time", value: "**4** min", inline: false }],
  };
  const style = { type: "button", disabled: false } as const;
  post("", {
    embeds: [embed],
    components: [
      [
        { ...style, style: "link", label: "Open", url: "https://example.com/412", custom_id: null },
        { ...style, style: "success", label: "Approve", url: null, custom_id: "approve" },
      ],
    ],
  });
  const card = page.getByRole("region", { name: "Build 412" });
  await shown(card.getByText("4", { exact: true }));
  await expect.element(card.getByCss("img")).toHaveAttribute("src", expect.stringContaining(`/api${proxy_url}`));
  const loaded = () => performance.getEntriesByType("resource").map(({ name }) => name);
  await expect.poll(() => loaded().filter((name) => name.includes(proxy_url)).length).toBe(1);
  expect(loaded().filter((name) => name.startsWith("https://builds.example"))).toEqual([]);
  await expect.element(page.getByRole("link", { name: "Open" })).toHaveAttribute("href", "https://example.com/412");
  await expect.element(page.getByRole("button", { name: "Approve" })).toBeEnabled();
  expect(await findingsInBothSchemes()).toEqual([]);
});
