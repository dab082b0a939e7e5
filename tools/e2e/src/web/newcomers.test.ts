import { randomUUID } from "node:crypto";
import { type Page, waitUntil } from "@parley/testing";
import { expect, test } from "vitest";
import { absentBeside } from "./presence.js";
import { composer, messageWith, useWebStage, waitUntilGone, write } from "./web-stage.js";

const stage = useWebStage();

/** Registers in a browser that was never here. */
async function register(name: string): Promise<Page> {
  const page = await stage.visit(null, { path: "/register" });
  await page.getByLabel("Username").fill(`${name}_${randomUUID().slice(0, 8)}`);
  await page.getByLabel("Password").fill("correct horse");
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByRole("heading", { name: "Welcome to Parley" }).waitFor();
  return page;
}

// Two people and their server from its first second: one journey for registering, inviting and the first steps.
test("newcomers register, one makes a server, the other comes by an invite, and they talk", async () => {
  const [host, guest] = await Promise.all([register("host"), register("guest")]);
  await host.getByRole("main").getByRole("button", { name: "Add a server" }).click();
  const creating = host.getByRole("dialog");
  await creating.getByLabel("Server name").fill("Chess club");
  await creating.getByRole("button", { name: "Create", exact: true }).click();
  await composer(host).waitFor();
  await host.getByRole("button", { name: "Chess club: menu" }).click();
  await host.getByRole("menuitem", { name: "Invite people" }).click();
  const inviting = host.getByRole("dialog", { name: /Invite/ });
  await inviting.getByRole("combobox", { name: "Expires after" }).and(host.locator(":focus")).waitFor();
  await inviting.getByRole("button", { name: "Create link" }).click();
  const link = await waitUntil(async () => {
    const value = await inviting.getByRole("textbox", { name: "Invite link" }).inputValue();
    return value !== "" && value;
  });
  await inviting.getByRole("button", { name: "Close" }).click();
  const steps = host.getByRole("region", { name: "Chess club is ready" });
  const step = (name: string) => steps.getByRole("button", { name });
  await step("Invite your people done").waitFor();
  await expect.poll(() => host.title()).toBe("#general – Chess club");
  // The channel that came with the server is not theirs.
  await steps.getByRole("button", { name: /Create a channel for a topic$/ }).waitFor();

  await guest.goto(link);
  await guest.getByRole("button", { name: "Join" }).click();
  const welcome = guest.getByRole("region", { name: "Welcome to Chess club" });
  await welcome.getByRole("button", { name: "Say hello" }).click();
  await composer(guest).and(guest.locator(":focus")).waitFor();
  await write(guest, "Is anybody here?");
  await waitUntilGone(welcome);
  await step("Write the first message").click();
  await write(host, "Welcome!");
  await step("Write the first message done").waitFor();
  // Dismissed steps do not come back.
  await steps.getByRole("button", { name: "Hide the first steps" }).click();
  await host.reload();
  await composer(host).waitFor();
  await absentBeside(steps, messageWith(host, "Is anybody here?"));
  await messageWith(guest, "Welcome!").waitFor();
});
