import { AuthResponse, DmChannel, Member, OtherUser, PublicProfile, User } from "@parley/contracts";
import { connectGateway, createClient, createServerWithMembers, joinServer, sharedStack } from "@parley/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { createBotClient } from "../../stages/admin-stage.js";

test("everybody who sees an account sees that it is a bot's, and that nobody else's is; its own shows nothing", async () => {
  const stack = await sharedStack();
  const client = createClient(stack.edgeUrl);
  const { server, owner, members } = await createServerWithMembers(client, 1);
  const [ann] = members;
  const { user_id: botId, client: bot } = await createBotClient(owner);
  await joinServer(bot, server.id);

  const marksOf = (users: readonly { id?: string; user_id?: string; is_bot?: true | undefined }[]) =>
    users.map((user) => [user.id ?? user.user_id, user.is_bot ?? ("is_bot" in user ? "key" : "absent")]);
  const people = [
    [owner.user.id, "absent"],
    [ann.user.id, "absent"],
    [botId, true],
  ];
  for (const query of ["", "?limit=1000", "?q="]) {
    const list = (await ann.get(`/servers/${server.id}/members${query}`)).expect(200, z.array(Member.strict()));
    expect(marksOf(list)).toEqual(people);
  }
  for (const [id, mark] of people) {
    const member = await ann.get(`/servers/${server.id}/members/${id}`);
    expect(marksOf([member.expect(200, Member.strict())])).toEqual([[id, mark]]);
    const profile = await ann.get(`/users/${id}`);
    expect(marksOf([profile.expect(200, PublicProfile.strict())])).toEqual([[id, mark]]);
  }

  const open = async (user_id: string) =>
    (await ann.post("/dm-channels", { user_id })).expect(201, DmChannel.extend({ recipient: OtherUser.strict() }));
  const opened = [await open(botId), await open(owner.user.id)];
  const recipients = [
    [botId, true],
    [owner.user.id, "absent"],
  ];
  expect(marksOf(opened.map(({ recipient }) => recipient))).toEqual(recipients);
  const channels = (await ann.get("/dm-channels")).expect(200, z.array(DmChannel));
  expect(marksOf(channels.map(({ recipient }) => recipient))).toEqual(recipients.toReversed());
  for (const { url } of stack.gateways) {
    const { dm_channels } = await connectGateway(url, ann.accessToken).ready;
    expect(marksOf(dm_channels.map(({ recipient }) => recipient))).toEqual(recipients.toReversed());
  }

  expect((await bot.get("/users/@me")).expect(200, User.strict()).id).toBe(botId);
  const { access_token } = (await bot.post("/bots/connect")).expect(200, AuthResponse.pick({ access_token: true }));
  const { user } = await connectGateway(stack.edgeUrl, access_token).ready;
  expect(Object.keys(user)).toEqual(Object.keys(ann.user));
});
