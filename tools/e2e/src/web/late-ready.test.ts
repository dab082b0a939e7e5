import { createGate, createServerWithMembers, type Page, postMessage } from "@parley/testing";
import { expect, test } from "vitest";
import { channelPath, messageWith, useWebStage } from "./web-stage.js";

// A page has answers of the interface before the first frame of the gateway.

const stage = useWebStage();

/** A page whose connections begin when the gate is opened. */
function connectingLater() {
  const gate = createGate();
  const prepare = (page: Page) =>
    page.routeWebSocket(/.*/, async (socket) => {
      await gate.opened;
      socket.connectToServer();
    });
  return { connect: gate.open, prepare };
}

test("the new messages in a history that was read before READY are marked", async () => {
  const { owner: ada, members, channel } = await createServerWithMembers(stage.client, 1);
  const [ben] = members;
  await postMessage(ada, channel.id, "Read before");
  expect((await ben.post(`/channels/${channel.id}/ack`)).status).toBe(204);
  for (const text of ["First unread", "Second unread"]) await postMessage(ada, channel.id, text);
  const { connect, prepare } = connectingLater();
  const page = await stage.visit(ben, { path: channelPath(channel), prepare });
  await messageWith(page, "Second unread").waitFor();
  connect();
  await page.getByRole("region", { name: "Messages" }).getByText("New", { exact: true }).waitFor();
  await page.context().close();
});

test("a list of places that was opened before READY is filled by it", async () => {
  const { owner, server, channel } = await createServerWithMembers(stage.client, 0);
  const { connect, prepare } = connectingLater();
  const page = await stage.visit(owner, { path: channelPath(channel), prepare });
  await page.getByRole("link", { name: channel.name }).waitFor();
  await page.keyboard.press("Control+k");
  const dialog = page.getByRole("dialog", { name: "Go to" });
  await dialog.getByRole("combobox").fill(server.name);
  await dialog.getByText("Nothing with that name.").waitFor();
  connect();
  await dialog.getByRole("option", { name: server.name }).first().waitFor();
  await page.context().close();
});
