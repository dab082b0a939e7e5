import { DmChannel } from "@parley/contracts";
import {
  assignRole,
  connectGateway,
  createRole,
  createServerWithMembers,
  joinServer,
  postMessage,
  waitUntil,
} from "@parley/testing";
import { expect, test } from "vitest";
import { openDirect, sendDirect, usePushStage } from "../stages/push-stage.js";

const stage = usePushStage();

/** A server with its owner and an absent member with a device. */
async function away() {
  const { owner, members, server, channel } = await createServerWithMembers(stage.client, 1);
  const [ben] = members;
  return { owner, ben, server, channel, phone: await stage.phoneOf(ben) };
}

test("a mention reaches each device of an account without a connection, once, encrypted, urgent, and says where it is", async () => {
  const { owner, ben, server, channel, phone } = await away();
  const tablet = await stage.phoneOf(ben);
  const { id, content } = await stage.mention(owner, channel.id, ben, "come ||quickly|| here");
  const text = content.replace("||quickly||", "▒▒▒▒");
  for (const device of [phone, tablet]) {
    expect(await device.pushed(text)).toEqual({
      type: "message",
      title: `${owner.user.username} (#${channel.name}, ${server.name})`,
      text,
      server_id: server.id,
      channel_id: channel.id,
      message_id: id,
      url: `/app/servers/${server.id}/channels/${channel.id}/${id}`,
      tag: channel.id,
      count: 1,
    });
  }
  const headers = stage.service.pushes.find(({ device }) => device === phone.device)?.headers;
  expect(headers).toMatchObject({ ttl: "86400", urgency: "high", "content-encoding": "aes128gcm" });
  await stage.settled(ben, phone);
  expect(phone.messages().filter(({ message_id }) => message_id === id)).toHaveLength(1);
});

test("direct messages reach everybody else in their channel, and a group is named", async () => {
  const [ann, bob, eve] = [await stage.client.register(), await stage.client.register(), await stage.client.register()];
  const phones = [await stage.phoneOf(ann), await stage.phoneOf(bob), await stage.phoneOf(eve)] as const;
  const direct = await openDirect(ann, bob);
  await sendDirect(ann, direct.id, "Hello Bob");
  expect(await phones[1].pushed("Hello Bob")).toMatchObject({
    title: ann.user.username,
    server_id: null,
    channel_id: direct.id,
    url: expect.stringMatching(`^/app/dm/${direct.id}/`),
  });
  const group = (await ann.post("/dm-channels", { user_ids: [bob.user.id, eve.user.id], name: "Weekend" })).expect(
    201,
    DmChannel.pick({ id: true }),
  );
  await sendDirect(eve, group.id, "Who comes?");
  for (const phone of phones.slice(0, 2)) {
    expect(await phone.pushed("Who comes?")).toMatchObject({ title: `${eve.user.username} (Weekend)` });
  }
  expect(phones[2].messages()).toEqual([]);
});

test("what follows in a channel within five seconds after a push is one push, with the last text and how many", async () => {
  const { owner, ben, channel, phone } = await away();
  await stage.mention(owner, channel.id, ben, "one");
  await phone.pushed(`@${ben.user.username} one`);
  await stage.prolongPause(phone);
  for (const text of ["two", "three", "four"]) await stage.mention(owner, channel.id, ben, text);
  const waiting = await stage.waiting(phone, 3);
  expect(waiting.map((row) => Object(row).since_pushed)).toEqual([5, 5, 5]);
  await stage.makeDue(phone);
  const merged = await phone.pushed(`@${ben.user.username} four`);
  expect(merged.count).toBe(3);
  expect(phone.messages()).toHaveLength(2);
});

test("a push has the text of the message as it is then, at most 200 characters", async () => {
  const { owner, ben, channel, phone } = await away();
  await stage.mention(owner, channel.id, ben, "first");
  await phone.pushed(`@${ben.user.username} first`);
  await stage.prolongPause(phone);
  const message = await stage.mention(owner, channel.id, ben, "to be edited");
  await stage.waiting(phone, 1);
  const content = `@${ben.user.username} ${"🦉".repeat(300)}`;
  expect((await owner.patch(`/channels/${channel.id}/messages/${message.id}`, { content })).status).toBe(200);
  await stage.makeDue(phone);
  const shown = [...content].slice(0, 199).join("");
  expect((await phone.pushed(`${shown}…`)).message_id).toBe(message.id);
});

test("everyone gets pushes of messages that mention everyone, of replies to their own, and of all messages at that level", async () => {
  const { owner, ben, server, channel, phone } = await away();
  await postMessage(owner, channel.id, "@everyone the hall is open");
  await phone.pushed("@everyone the hall is open");
  const other = await stage.client.register();
  await joinServer(other, server.id);
  const second = await stage.phoneOf(other);
  const question = await postMessage(other, channel.id, "When is it?");
  const answer = await owner.post(`/channels/${channel.id}/messages`, { content: "At eight", reply_to: question.id });
  expect(answer.status).toBe(201);
  expect(await second.pushed("At eight")).toMatchObject({ count: 1 });

  const settings = async (body: object) => expect((await ben.patch("/users/@me/notifications", body)).status).toBe(200);
  const quiet = await stage.client.register();
  await joinServer(quiet, server.id);
  await settings({ servers: { [server.id]: { level: "all" } } });
  await stage.makeDue(phone);
  await postMessage(quiet, channel.id, "In the server");
  const told = await phone.pushed("In the server");
  expect(told).toMatchObject({ count: 1 });
  const { headers } = stage.service.pushes.findLast(({ device }) => device === phone.device) ?? {};
  expect(headers?.urgency).toBe("normal");
  await settings({ servers: { [server.id]: null }, default: { level: "all" } });
  await stage.makeDue(phone);
  await postMessage(quiet, channel.id, "By default");
  await phone.pushed("By default");
});

test("an author in a thread gets pushes of the replies to it", async () => {
  const { owner, ben, channel, phone } = await away();
  const root = await postMessage(owner, channel.id, "The menu");
  const thread = `/channels/${channel.id}/messages/${root.id}/thread`;
  expect((await ben.post(thread, { content: "Soup" })).status).toBe(201);
  expect((await owner.post(thread, { content: "Bread" })).status).toBe(201);
  expect(await phone.pushed("Bread")).toMatchObject({ channel_id: channel.id });
});

test("a read channel notifies the devices that got a push of it, and no others", async () => {
  const { owner, ben, channel, phone } = await away();
  const mentioned = `@${ben.user.username} look`;
  await stage.mention(owner, channel.id, ben, "look");
  await phone.pushed(mentioned);
  const tablet = await stage.phoneOf(ben);
  expect((await ben.post(`/channels/${channel.id}/ack`)).status).toBe(204);
  await waitUntil(() => phone.pushes().some(({ type }) => type === "read"), { what: "the push that takes it back" });
  expect(phone.pushes().at(-1)).toEqual({ type: "read", tag: channel.id });
  await stage.settled(ben, tablet);
  await stage.settled(ben, phone);
  expect(tablet.pushes().filter(({ type }) => type === "read")).toEqual([]);
  expect(phone.pushes().filter(({ type }) => type === "read")).toHaveLength(1);
});

test("an account with a connection gets pushes after five seconds, of messages that are neither read nor deleted by then", async () => {
  const cases = await Promise.all([away(), away(), away()]);
  const sockets = cases.map(({ ben }) => connectGateway(stage.stack.edgeUrl, ben.accessToken));
  await Promise.all(sockets.map(({ ready }) => ready));
  const [told, read, deleted] = cases;
  if (told === undefined || read === undefined || deleted === undefined) throw new Error("Three were made");
  const [, , gone] = await Promise.all(
    cases.map(async ({ owner, ben, channel, phone }) => {
      const message = await stage.mention(owner, channel.id, ben, "hello");
      expect(await stage.waiting(phone, 1)).toEqual([{ since_noted: 5, since_pushed: null }]);
      await stage.sql("UPDATE pushes SET due_at = due_at + interval '1 hour' WHERE subscription_id = $1", phone);
      return message;
    }),
  );
  expect((await read.ben.post(`/channels/${read.channel.id}/ack`)).status).toBe(204);
  const path = `/channels/${deleted.channel.id}/messages/${gone?.id}`;
  expect((await deleted.owner.delete(path)).status).toBe(204);
  await Promise.all(cases.map(({ phone }) => stage.makeDue(phone)));
  await told.phone.pushed(`@${told.ben.user.username} hello`);
  await Promise.all([read, deleted].map(({ phone }) => stage.idle(phone)));
  for (const { phone, channel } of [read, deleted]) {
    expect(phone.pushes().filter(({ tag }) => tag === channel.id)).toEqual([]);
  }
  await Promise.all(sockets.map((socket) => socket.close()));
});

test("holders of a role get pushes of messages that mention it, and @here reaches nobody who is away", async () => {
  const { owner, ben, server, channel, phone } = await away();
  const other = await stage.client.register();
  await joinServer(other, server.id);
  const second = await stage.phoneOf(other);
  const role = await createRole(owner, server.id, { name: "Board Two", mentionable: true });
  await assignRole(owner, role, ben);
  await postMessage(owner, channel.id, "@Board Two begins");
  await phone.pushed("@Board Two begins");
  const { headers } = stage.service.pushes.findLast(({ device }) => device === phone.device) ?? {};
  expect(headers?.urgency).toBe("high");
  // Nobody is connected.
  await postMessage(owner, channel.id, "@here where are you?");
  await stage.mention(owner, channel.id, other, "at last");
  await second.pushed(`@${other.user.username} at last`);
  await stage.settled(other, second);
  await stage.settled(ben, phone);
  const here = [phone, second].map((device) => device.messages().filter(({ channel_id }) => channel_id === channel.id));
  expect(here.map(({ length }) => length)).toEqual([1, 1]);
});
