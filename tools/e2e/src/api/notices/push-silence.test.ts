import { createClient as createParleyClient } from "@parley/client";
import { DmChannel } from "@parley/contracts";
import {
  connectGateway,
  createChannel,
  createServerWithMembers,
  joinServer,
  postMessage,
  type ServerFixture,
  type UserClient,
  waitUntil,
} from "@parley/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { openDirect, type Phone, sendDirect, usePushStage } from "../stages/push-stage.js";

// Every reason not to push (docs/protocol/notifications.md#26.2). A member who hears everything gets a push of each
// message, which proves that the dispatcher has decided about it.

const stage = usePushStage();
let fixture: ServerFixture;
let owner: UserClient;
let control: Phone;
beforeAll(async () => {
  fixture = await createServerWithMembers(stage.client, 1);
  owner = fixture.owner;
  const [hearsAll] = fixture.members;
  if (hearsAll === undefined) throw new Error("One member was made");
  await change(hearsAll, { default: { level: "all" } });
  control = await stage.phoneOf(hearsAll);
});

interface Member {
  user: UserClient;
  phone: Phone;
  channelId: string;
}

/** A user with a device in a channel without pushes to others. */
async function member(): Promise<Member> {
  const user = await stage.client.register();
  await joinServer(user, fixture.server.id);
  const { id: channelId } = await createChannel(owner, fixture.server.id, { name: `room-${user.user.id.slice(-8)}` });
  return { user, phone: await stage.phoneOf(user), channelId };
}

const change = async (user: UserClient, changes: object) =>
  expect((await user.patch("/users/@me/notifications", changes)).status).toBe(200);
const mention = ({ user, channelId }: Member, by: UserClient = owner) =>
  stage.mention(by, channelId, user, "do you hear?");
const plain = ({ channelId }: Member) => postMessage(owner, channelId, "By the way");
const everyone = ({ channelId }: Member) => postMessage(owner, channelId, "@everyone look");

/** The time of day so many minutes from now, in UTC. */
const timeOfDay = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString().slice(11, 16);

/** Each reason, the request that causes it, and the message then. */
const reasons: [
  reason: string,
  forbid: (member: Member) => Promise<unknown>,
  send: (member: Member) => Promise<unknown>,
][] = [
  ["a message that mentions nobody, at the level mentions", async () => undefined, plain],
  ["the level nothing", ({ user }) => change(user, { default: { level: "nothing" } }), mention],
  [
    "the level nothing of a channel, in a server of which all is heard",
    ({ user, channelId }) =>
      change(user, {
        servers: { [fixture.server.id]: { level: "all" } },
        channels: { [channelId]: { level: "nothing" } },
      }),
    mention,
  ],
  [
    "a muted server",
    ({ user }) => change(user, { servers: { [fixture.server.id]: { muted_until: "forever" } } }),
    mention,
  ],
  [
    "a channel that is muted for a while, at the level all",
    ({ user, channelId }) =>
      change(user, {
        default: { level: "all" },
        channels: { [channelId]: { muted_until: new Date(Date.now() + 60_000).toISOString() } },
      }),
    mention,
  ],
  [
    "everyone, where that is left out",
    ({ user }) => change(user, { servers: { [fixture.server.id]: { suppress_everyone: true } } }),
    everyone,
  ],
  ["quiet hours", ({ user }) => change(user, { quiet: { from: timeOfDay(-5), to: timeOfDay(60) } }), mention],
  [
    "quiet hours that go past midnight, in another time zone",
    // In Kiritimati it is fourteen hours later than in UTC.
    ({ user }) =>
      change(user, {
        quiet: { from: timeOfDay(14 * 60 - 5), to: timeOfDay(13 * 60) },
        timezone: "Pacific/Kiritimati",
      }),
    mention,
  ],
  ["pushes that are switched off", ({ user }) => change(user, { push: { enabled: false } }), mention],
  ["an author whom the account has blocked", ({ user }) => user.put(`/users/@me/blocks/${owner.user.id}`), mention],
  [
    "a channel that is closed to the account",
    ({ user, channelId }) =>
      owner.put(`/channels/${channelId}/overrides`, { user_id: user.user.id, allow: 0, deny: 1 }),
    mention,
  ],
  ["a server that the account has left", ({ user }) => user.delete(`/servers/${fixture.server.id}/leave`), mention],
];

/** Fails if the device gets a push of the channel, once the dispatcher has decided about all messages there. */
async function expectSilence({ phone, channelId }: Member): Promise<void> {
  const isPushed = (each: Phone) => each.messages().some(({ channel_id }) => channel_id === channelId);
  await waitUntil(() => isPushed(control), { what: "the push to the member who hears all" });
  await stage.idle(phone);
  expect(isPushed(phone)).toBe(false);
}

describe("no push goes for", () => {
  test.each(reasons)("%s", async (_, forbid, send) => {
    const somebody = await member();
    await forbid(somebody);
    await send(somebody);
    await expectSilence(somebody);
  });

  test("one's own message, also where all is heard", async () => {
    const somebody = await member();
    await change(somebody.user, { default: { level: "all" } });
    await postMessage(somebody.user, somebody.channelId, "I said so");
    await expectSilence(somebody);
  });

  test("a muted conversation, and one with notices of replies only", async () => {
    const [muted, replies] = [await member(), await member()];
    const channelOf = async ({ user }: Member) => (await openDirect(owner, user)).id;
    const [first, second] = [await channelOf(muted), await channelOf(replies)];
    await change(muted.user, { channels: { [first]: { muted_until: "forever" } } });
    await change(replies.user, { channels: { [second]: { level: "mentions" } } });
    for (const id of [first, second]) await sendDirect(owner, id, "Are you there?");
    for (const each of [muted, replies]) await stage.settled(each.user, each.phone);
    expect(muted.phone.messages().filter(({ channel_id }) => channel_id === first)).toEqual([]);
    expect(replies.phone.messages().filter(({ channel_id }) => channel_id === second)).toEqual([]);
  });

  test("what somebody blocked writes in a group of both", async () => {
    const [ann, bob, eve] = [
      await stage.client.register(),
      await stage.client.register(),
      await stage.client.register(),
    ];
    const body = { user_ids: [bob.user.id, eve.user.id] };
    const { id } = (await ann.post("/dm-channels", body)).expect(201, DmChannel.pick({ id: true }));
    const phone = await stage.phoneOf(ann);
    expect((await ann.put(`/users/@me/blocks/${bob.user.id}`)).status).toBe(204);
    await sendDirect(bob, id, "Ann?");
    await sendDirect(eve, id, "Ann!");
    const push = await phone.pushed("Ann!");
    expect(push.count).toBe(1);
    expect(phone.messages().map(({ text }) => text)).toEqual(["Ann!"]);
  });

  test("somebody who does not want to be disturbed, direct messages included", async () => {
    const somebody = await member();
    const socket = connectGateway(stage.stack.edgeUrl, somebody.user.accessToken);
    await socket.ready;
    expect((await somebody.user.patch("/users/@me", { status: "dnd" })).status).toBe(200);
    const direct = await openDirect(owner, somebody.user);
    await sendDirect(owner, direct.id, "Quick!");
    await mention(somebody);
    await expectSilence(somebody);
    expect(somebody.phone.messages()).toEqual([]);
    await socket.close();
  });

  test("a channel that an active connection shows, unless it is not active", async () => {
    const [looking, away] = [await member(), await member()];
    const show = async ({ user: { accessToken, refreshToken }, channelId }: Member, active: boolean) => {
      const client = createParleyClient({ baseUrl: stage.stack.edgeUrl, tokens: { accessToken, refreshToken } });
      const gateway = client.gateway();
      const shown: string[][] = [];
      gateway.on("VIEW_ACK", ({ channel_ids }) => shown.push(channel_ids));
      await gateway.connect();
      gateway.view([channelId], { active });
      await waitUntil(() => shown.at(-1)?.[0] === channelId, { what: "the channel in view" });
      return gateway;
    };
    const gateways = [await show(looking, true), await show(away, false)];
    const text = (await mention(away)).content;
    await mention(looking);
    await away.phone.pushed(text);
    await expectSilence(looking);
    await Promise.all(gateways.map((gateway) => gateway.close()));
  });

  test("contents, if the account does not want them: the push has a title alone", async () => {
    const somebody = await member();
    await change(somebody.user, { push: { content: false } });
    const { id } = await mention(somebody);
    const isPushed = () => somebody.phone.messages().some(({ message_id }) => message_id === id);
    await waitUntil(isPushed, { what: "the push without a text" });
    expect(somebody.phone.messages().at(-1)).not.toHaveProperty("text");
  });
});
