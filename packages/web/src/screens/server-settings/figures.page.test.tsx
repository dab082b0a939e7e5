import type { ServerInsights } from "@parley/client";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { counted, shown } from "../../page-stage/seeing.js";
import { button, openSettings, row } from "../../page-stage/settings.js";

type Day = ServerInsights["days"][number];
const day = (date: string, messages: number): Day => ({
  ...{ date, joins: 3, leaves: 1, members: messages + 10 },
  ...{ active_members: 8, writers: 4, messages },
});
const days = [day("2026-10-24", 1_000), day("2026-10-25", 20), day("2026-10-26", 300)];

test("the figures of a server are plots, a table and lists, for as many days as are chosen", async () => {
  const { server } = await openSettings("figures", (fake, { channels: [general] }) => {
    fake.on("GET /servers/:id/insights", ({ query }) => ({
      days: query.get("days") === "7" ? days.slice(1) : days,
      channels: [{ channel_id: general.id, messages: 1_320, writers: 9 }],
      invites: [{ code: "chess", joins: 5, still_members: 1 }],
    }));
  });
  await shown(page.getByText("1,320", { exact: true }));
  // Of members that of the last day.
  await shown(page.getByText("310", { exact: true }).first());
  await shown(page.getByText("up to 8 a day"));
  await expect.poll(() => document.querySelectorAll("main svg[preserveAspectRatio] rect").length).toBe(18);
  await shown(row("Channels", "#general"));
  await shown(row("Channels", "1,320 messages"));
  await shown(row("Invites", "5 people joined"));
  await shown(row("Invites", "1 person stayed"));

  await page.getByText("All figures as a table").click();
  const table = page.getByRole("table");
  await counted(table.getByRole("row"), 4);
  const cells = () => [...document.querySelectorAll("table tbody tr:first-child > *")].map((cell) => cell.textContent);
  await expect.poll(cells).toEqual(["26 Oct 2026", "3", "1", "310", "8", "4", "300"]);

  await button("7 days").click();
  await shown(page.getByText("320", { exact: true }));
  await counted(table.getByRole("row"), 3);
  expect(server.requests("GET /servers/:id/insights").map(({ query }) => query.get("days"))).toEqual(["28", "7"]);
});

test("days begin at midnight of the zone that is chosen", async () => {
  const { server } = await openSettings("figures", (fake, { server: chess }) => {
    fake.on("GET /servers/:id/insights", () => ({ days, channels: [], invites: [] }));
    fake.on("PATCH /servers/:id", ({ body }) => Object.assign(chess, body));
  });
  const zone = page.getByRole("combobox", { name: "Time zone" });
  await expect.element(zone).toHaveValue("UTC");
  await zone.selectOptions("Asia/Tokyo");
  await expect
    .poll(() => server.requests("PATCH /servers/:id").map(({ body }) => body))
    .toEqual([{ timezone: "Asia/Tokyo" }]);
  await expect.poll(() => server.requests("GET /servers/:id/insights").length).toBe(2);
});
