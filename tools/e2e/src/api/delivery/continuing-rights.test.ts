import { permissionBits, type Role } from "@parley/contracts";
import {
  assignRole,
  createChannel,
  createClient,
  createRole,
  createServerWithMembers,
  type GatewayClient,
  joinServer,
  postMessage,
  type RestClient,
  type SharedStack,
  sharedStack,
  type UserClient,
  waitUntil,
} from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { createConnections } from "../stages/connection-stage.js";

const { VIEW_CHANNEL, ADMINISTRATOR } = permissionBits;
const Frame = z.object({ op: z.string(), t: z.string().nullable(), d: z.unknown(), s: z.string().optional() });
type Frame = z.infer<typeof Frame>;
const Resync = z.object({ resync: z.string().optional() });

let stack: SharedStack;
let client: RestClient;
let connections: ReturnType<typeof createConnections>;

beforeAll(async () => {
  stack = await sharedStack();
  client = createClient(stack.edgeUrl, { prefix: "/api" });
  connections = createConnections(stack);
});
afterAll(() => connections?.closeAll());

const framesOf = (connection: GatewayClient) => connection.frames.map((frame) => Frame.parse(JSON.parse(frame)));
const lastCursor = (connection: GatewayClient) => framesOf(connection).findLast(({ s }) => s !== undefined)?.s ?? "";
/** The durable events among the frames, without their cursors. */
const durable = (frames: readonly Frame[]) =>
  frames.flatMap(({ t, d, s }) => (s === undefined || t === "READY" || t === "RESUMED" ? [] : [{ t, d }]));

/** A member with a numbered connection, and the actions of others while it is lost. */
async function createScene() {
  const { owner, members, server, channel: open } = await createServerWithMembers(client, 1);
  const [member] = members;
  const channel = await createChannel(owner, server.id);
  const address = `/servers/${server.id}/roles`;
  const overrides = `/channels/${channel.id}/overrides`;
  const done = async (answer: Promise<{ status: number }>) => expect([200, 204]).toContain((await answer).status);
  const put = async (target: { role_id: string } | { user_id: string }, allow: number, deny: number) =>
    (await owner.put(overrides, { ...target, allow, deny })).expect(200, z.object({ id: z.string() }));
  return {
    owner,
    member,
    server,
    channel,
    open,
    done,
    user: { user_id: member.user.id },
    post: (content: string) => postMessage(owner, channel.id, content),
    deny: (target: { role_id: string } | { user_id: string }) => put(target, 0, VIEW_CHANNEL),
    allow: (target: { role_id: string } | { user_id: string }) => put(target, VIEW_CHANNEL, 0),
    lift: ({ id }: { id: string }) => done(owner.delete(`${overrides}/${id}`)),
    role: (permissions = 0) => createRole(owner, server.id, { permissions }),
    give: (role: Role) => assignRole(owner, role, member),
    take: (role: Role) => done(owner.delete(`/servers/${server.id}/members/${member.user.id}/roles/${role.id}`)),
    change: (role: Role, permissions: number) => done(owner.patch(`${address}/${role.id}`, { permissions })),
    remove: (role: Role) => done(owner.delete(`${address}/${role.id}`)),
  };
}
type Scene = Awaited<ReturnType<typeof createScene>>;
type Step = () => Promise<unknown>;

/** Carries out each step when the uninterrupted connection has everything from before it. */
async function inTurn({ owner, open }: Scene, witness: GatewayClient, steps: readonly Step[]): Promise<void> {
  for (const [index, step] of [...steps.entries(), [steps.length, async () => {}] as const]) {
    const content = `step ${index}`;
    await postMessage(owner, open.id, content);
    await witness.waitFor("MESSAGE_CREATE", (message) => message.content === content);
    await step();
  }
}

async function continueAt(user: UserClient, gateway: 0 | 1, s: string) {
  const connection = connections.connect(user.accessToken, gateway, `s=${s}`);
  const answer = await waitUntil(() => framesOf(connection).find(({ t }) => t === "RESUMED" || t === "READY"), {
    what: "RESUMED or READY",
  });
  return { answer, frames: framesOf(connection) };
}

/** Messages of the channel that a connection which was lost during the steps gets, by gateway. */
async function missedIn(scene: Scene, steps: readonly Step[]) {
  const witness = await connections.open(scene.member.accessToken, 0, "s=");
  const lost = await connections.open(scene.member.accessToken, 0, "s=");
  const s = lastCursor(lost);
  lost.terminate();
  await lost.closed;
  await inTurn(scene, witness, steps);
  const replays = await Promise.all([continueAt(scene.member, 0, s), continueAt(scene.member, 1, s)]);
  const messages = replays.map(({ frames }) => contentsIn(scene.channel.id, frames));
  return { messages, replays: replays.map(({ frames }) => durable(frames)), witnessed: durable(framesOf(witness)) };
}

const Posted = z.object({ channel_id: z.string(), content: z.string() });
const contentsIn = (channelId: string, frames: readonly Frame[]) =>
  frames.flatMap(({ t, d }) => {
    const message = t === "MESSAGE_CREATE" ? Posted.parse(d) : null;
    return message?.channel_id === channelId ? [message.content] : [];
  });

describe("a connection that continues gets of a channel what an uninterrupted one got", () => {
  test("whenever it was visible, and besides at most what was posted while it was hidden", async () => {
    const scene = await createScene();
    const { post, deny, allow, lift, role, give, take, remove, change, user } = scene;
    const [denied, administrators, allowed] = [await role(), await role(), await role()];
    await give(allowed);
    await deny({ role_id: denied.id });
    const { messages, replays, witnessed } = await missedIn(scene, [
      () => post("1 visible"),
      () => give(denied),
      () => post("2 hidden"),
      () => allow({ role_id: allowed.id }),
      () => post("3 visible"),
      () => remove(allowed),
      () => post("4 hidden"),
      () => give(administrators),
      () => post("5 hidden"),
      () => change(administrators, ADMINISTRATOR),
      () => post("6 visible"),
      () => deny(user),
      () => post("7 visible"),
      () => remove(administrators),
      () => post("8 hidden"),
      async () => lift(await allow(user)),
      () => post("9 hidden"),
      () => take(denied),
      () => post("10 visible"),
    ]);
    for (const contents of messages) {
      const numbers = contents.map((content) => Number.parseInt(content, 10));
      expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => one - other));
    }
    const isHidden = ({ t, d }: Pick<Frame, "t" | "d">) =>
      t === "MESSAGE_CREATE" && Posted.parse(d).content.endsWith("hidden");
    for (const replay of replays) expect(replay.filter((event) => !isHidden(event))).toEqual(witnessed);
  });

  test("a connection that continues gets nothing of a channel that is hidden now, from before either", async () => {
    const scene = await createScene();
    const { post, deny, channel, user } = scene;
    const { messages, replays, witnessed } = await missedIn(scene, [
      () => post("before"),
      () => deny(user),
      () => post("after"),
    ]);
    expect(messages).toEqual([[], []]);
    const visible = witnessed.filter(({ t, d }) => t !== "MESSAGE_CREATE" || Posted.parse(d).channel_id !== channel.id);
    expect(visible).toHaveLength(witnessed.length - 1);
    expect(replays).toEqual([visible, visible]);
  });

  test("a connection that continues gets what an uninterrupted one got also during a timeout, which takes no sight", async () => {
    const scene = await createScene();
    const { post, owner, member, server, done } = scene;
    const timeout = `/servers/${server.id}/members/${member.user.id}/timeout`;
    const { messages, replays, witnessed } = await missedIn(scene, [
      () => post("before"),
      () => done(owner.post(timeout, { duration_minutes: 5 })),
      () => post("during"),
      () => done(owner.delete(timeout)),
      () => post("after"),
    ]);
    const all = ["before", "during", "after"];
    expect(messages).toEqual([all, all]);
    expect(replays).toEqual([witnessed, witnessed]);
  });
});

test("a connection whose user was kicked and came back begins anew", async () => {
  const { owner, member, server, post, done } = await createScene();
  const lost = await connections.open(member.accessToken, 0, "s=");
  const s = lastCursor(lost);
  lost.terminate();
  await done(owner.post(`/servers/${server.id}/members/${member.user.id}/kick`));
  await post("unseen");
  await joinServer(member, server.id);
  for (const gateway of [0, 1] as const) {
    const { answer } = await continueAt(member, gateway, s);
    expect([answer.t, Resync.parse(answer.d).resync]).toEqual(["READY", "membership"]);
  }
});
