import type { VoiceState } from "@parley/client";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { composer, messageWith } from "../../page-stage/conversation.js";
import { channel, channelPath, community, madeAt, member, message, user } from "../../page-stage/fixtures.js";
import { gone, shown } from "../../page-stage/seeing.js";
import { visit } from "../../page-stage/stage.js";
import { readyOf, world } from "../../page-stage/world.js";

test("after a connection that cannot be continued, the page shows what changed meanwhile", async () => {
  const [ada, ben, zoe] = [user("ada"), user("ben"), user("zoe")];
  const club = community([ada, ben]);
  const [general] = club.channels;
  const lounge = channel(club.server, "lounge", { type: "voice" });
  club.channels = [general, lounge];
  const quoted = message(general, ada, "Quoted draft");
  // The quoted message stands outside of the page's history.
  const between = Array.from({ length: 160 }, (_, n) => message(general, ada, `Between ${n}`));
  club.messages[general.id] = [quoted, ...between, message(general, ada, "Answer", { reply_to: quoted.id })];
  let inVoice: VoiceState[] = [
    {
      ...{ user_id: ada.id, username: ada.username, channel_id: lounge.id, joined_at: madeAt },
      ...{ self_mute: false, self_deaf: false, self_video: false, self_screen: false },
      ...{ server_mute: false, server_deaf: false },
    },
  ];
  const there = world(ben, [club]);
  let connections = 0;
  const stage = await visit(there, {
    path: channelPath(general),
    prepare: (server) => server.on("GET /channels/:id/voice", () => inVoice),
    onConnection(connection) {
      connections += 1;
      if (connections === 1) connection.event("READY", readyOf(there));
    },
  });
  await shown(composer());
  const list = page.getByRole("complementary", { name: "Members" });
  const inLounge = page.getByRole("navigation", { name: "Channels" }).getByText(ada.username);
  await shown(list.getByRole("button", { name: new RegExp(ada.username) }));
  await shown(inLounge);
  await shown(messageWith("Answer").getByRole("button", { name: "Quoted draft" }));
  await stage.settled();

  stage.socket.close();
  await shown(page.getByText("Connection lost. Reconnecting …"));
  club.members = [...club.members, member(zoe)];
  inVoice = [];
  club.messages[general.id] = (club.messages[general.id] ?? []).map((one) =>
    one.id === quoted.id ? { ...one, content: "Quoted text", edited_at: madeAt } : one,
  );
  await expect.poll(() => stage.connections).toBe(2);
  // The page asks to go on, and the gateway cannot: its first frame is READY again.
  expect(stage.socket.query.get("s")).not.toBe("");
  stage.socket.event("READY", readyOf(there));

  await shown(list.getByRole("button", { name: new RegExp(zoe.username) }));
  await gone(inLounge);
  await shown(messageWith("Answer").getByRole("button", { name: "Quoted text" }));
});
