import { createChannel, createGate, createServerWithMembers, postMessage } from "@parley/testing";
import { expect, test } from "vitest";
import { channelPath, composer, messageWith, useWebStage, waitUntilGone } from "./web-stage.js";

const stage = useWebStage();

test("after a connection that cannot be continued, the page shows what changed meanwhile", async () => {
  const { owner: ada, members, server, channel } = await createServerWithMembers(stage.client, 1);
  const [ben] = members;
  const lounge = await createChannel(ada, server.id, { name: "lounge", type: "voice" });
  const quoted = await postMessage(ada, channel.id, "Quoted draft");
  // The quoted message stands outside of the page's history.
  for (let n = 1; n <= 160; n += 1) await postMessage(ada, channel.id, `Between ${n}`);
  const reply = await ada.post(`/channels/${channel.id}/messages`, { content: "Answer", reply_to: quoted.id });
  expect(reply.status).toBe(201);
  expect((await ada.post(`/channels/${lounge.id}/voice`)).status).toBe(201);

  const returning = createGate();
  const opened: { close: () => Promise<void> }[] = [];
  const page = await stage.visit(ben, {
    path: channelPath(channel),
    prepare: (empty) =>
      empty.routeWebSocket(/.*/, async (socket) => {
        if (opened.push(socket) > 1) await returning.opened;
        const gateway = socket.connectToServer();
        // Numbers of another installation: the next connection begins with READY.
        gateway.onMessage((frame) => socket.send(String(frame).replace(/"s":"[^"]+"/, '"s":"foreign"')));
      }),
  });
  await composer(page).waitFor();
  const list = page.getByRole("complementary", { name: "Members" });
  const inLounge = page.getByRole("navigation", { name: "Channels" }).getByText(ada.username);
  await list.getByRole("button", { name: new RegExp(ada.username) }).waitFor();
  await inLounge.waitFor();
  await messageWith(page, "Answer").getByRole("button", { name: "Quoted draft" }).waitFor();

  await opened[0]?.close();
  await page.getByText("Connection lost. Reconnecting …").waitFor();
  const zoe = await stage.client.register();
  expect((await zoe.post(`/servers/${server.id}/join`)).status).toBe(201);
  expect((await ada.delete(`/channels/${lounge.id}/voice`)).status).toBe(204);
  expect((await ada.patch(`/messages/${quoted.id}`, { content: "Quoted text" })).status).toBe(200);
  returning.open();

  await list.getByRole("button", { name: new RegExp(zoe.username) }).waitFor();
  await waitUntilGone(inLounge);
  await messageWith(page, "Answer").getByRole("button", { name: "Quoted text" }).waitFor();
  await page.context().close();
});
