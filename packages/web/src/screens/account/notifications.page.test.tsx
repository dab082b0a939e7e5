import type { NotificationSettings } from "@parley/client";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { copyWith } from "../../page-stage/conversation.js";
import { notifications, user } from "../../page-stage/fixtures.js";
import { gone, shown } from "../../page-stage/seeing.js";
import { visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The settings of somebody with this address. */
async function openNotifications(
  email: { email: string | null; verified: boolean },
  settings: Partial<NotificationSettings> = {},
) {
  const there = world(user("reader"), [], { notifications: notifications(settings) });
  const { server } = await visit(there, {
    path: "/account/notifications",
    prepare(fresh) {
      fresh.on("GET /users/@me/push-subscriptions", () => ({ subscriptions: [] }));
      fresh.on("GET /auth/email", () => email);
      fresh.on<Partial<NotificationSettings>>("PATCH /users/@me/notifications", ({ body }) =>
        Object.assign(there.notifications, body),
      );
    },
  });
  const changes = () => server.requests("PATCH /users/@me/notifications").map(({ body }) => body);
  return { there, server, changes };
}

const mails = () => page.getByRole("combobox", { name: "Mails" });
const address = "reader@example.com";

test("the default and quiet hours are set in the account, by the clock of the device", async () => {
  const { changes } = await openNotifications({ email: null, verified: false });
  await page.getByRole("combobox", { name: "What I hear of" }).selectOptions("Nothing");
  await expect.poll(changes).toEqual([{ default: { level: "nothing" } }]);
  await page.getByRole("checkbox", { name: "Quiet hours" }).click();
  await shown(page.getByLabelText("From"));
  await expect.poll(() => changes().at(-1)).toEqual({ quiet: { from: "22:00", to: "07:00" }, timezone: zone });
  await page.getByLabelText("To", { exact: true }).fill("06:30");
  await expect.poll(() => changes().at(-1)).toEqual({ quiet: { from: "22:00", to: "06:30" }, timezone: zone });
  await page.getByRole("checkbox", { name: "Quiet hours" }).click();
  await expect.poll(() => changes().at(-1)).toEqual({ quiet: null });
  await gone(page.getByLabelText("From"));
});

test("mails are asked for with an address that is verified", async () => {
  const { changes } = await openNotifications({ email: address, verified: true });
  await mails().selectOptions("When I missed something");
  await shown(page.getByText("at most one an hour"));
  expect(changes()).toEqual([{ mail: "mentions" }]);
  await mails().selectOptions("Every day at eight");
  await shown(page.getByText(`by the clock of ${zone}`));
  await expect.poll(() => changes().at(-1)).toEqual({ mail: "daily", timezone: zone });
});

test.each([
  ["is not verified", { email: address, verified: false }, "verify the e-mail address in your profile first"],
  ["is missing", { email: null, verified: false }, "the account needs an e-mail address"],
] as const)("mails cannot be asked for while the address %s, which says so", async (_state, email, reason) => {
  await openNotifications(email);
  await shown(page.getByText(reason));
  await expect.element(mails()).toBeDisabled();
});

test("mails can be turned off with an address that is not verified any more", async () => {
  const { changes } = await openNotifications({ email: address, verified: false }, { mail: "daily" });
  await mails().selectOptions("None");
  await expect.poll(changes).toEqual([{ mail: "off" }]);
});

test("an address for calendar programs is made, copied and made anew", async () => {
  const { server } = await openNotifications({ email: null, verified: false });
  let made = 0;
  server.on("POST /users/@me/calendar", () => ({ url: `https://chat.example/api/calendars/secret-${++made}` }));
  const make = page.getByRole("button", { name: "Make a new address" });
  await make.click();
  await shown(page.getByText("https://chat.example/api/calendars/secret-1"));
  await make.click();
  await shown(page.getByText("https://chat.example/api/calendars/secret-2"));
  expect(await copyWith(page.getByRole("region", { name: "Calendar" }).getByRole("button", { name: "Copy" }))).toBe(
    "https://chat.example/api/calendars/secret-2",
  );
});
