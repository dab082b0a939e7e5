import {
  createChannel,
  createGate,
  createServerWithMembers,
  type Page,
  postMessage,
  type UserClient,
} from "@parley/testing";
import { beforeEach, expect, test } from "vitest";
import { act, channelPath, composer, holdAnswer, messageWith, useWebStage } from "./web-stage.js";

// Answers and events come by different ways: an answer can be older than events that were there before it.

const stage = useWebStage();
let ada: UserClient;
let ben: UserClient;
/** Where Ben begins, and where it happens. */
let channels: Record<"start" | "scene", { id: string; path: string }>;
/** Channels of the same server in which a first message shows that everything before it has arrived. */
let marks: { id: string; name: string }[];

beforeEach(async () => {
  const { owner, members, server } = await createServerWithMembers(stage.client, 1);
  const [member] = members;
  ada = owner;
  ben = member;
  const create = async (name: string) => {
    const channel = await createChannel(owner, server.id, { name });
    return { id: channel.id, name, path: channelPath(channel) };
  };
  channels = { start: await create("start"), scene: await create("scene") };
  marks = [await create("first-mark"), await create("second-mark")];
});

const say = (content: string) => postMessage(ada, channels.scene.id, content);

/** Waits until everything that Ada did before has arrived. */
async function catchUp(page: Page): Promise<void> {
  const mark = marks.pop();
  if (mark === undefined) throw new Error("Every mark is used.");
  await postMessage(ada, mark.id, "Mark");
  await page.getByRole("link", { name: mark.name }).filter({ hasText: "unread" }).waitFor();
}

const historyAddress = () => new RegExp(`/channels/${channels.scene.id}/messages\\?`);

/** Ben's page, connected. */
async function visitStart(): Promise<Page> {
  const page = await stage.visit(ben, { path: channels.start.path });
  await composer(page).waitFor();
  await catchUp(page);
  return page;
}

/** Ben opens the channel where it happens. */
const enter = (page: Page) => page.getByRole("link", { name: "scene" }).click();

const threadOf = ({ id }: { id: string }) => `/channels/${channels.scene.id}/messages/${id}/thread`;

test("messages that were sent, edited and deleted while a history was read are shown as they are", async () => {
  const [kept, edited, deleted] = [await say("Kept"), await say("Draft"), await say("Mistake")];
  const page = await visitStart();
  const answer = await holdAnswer(page, historyAddress());
  await enter(page);
  await answer.given;
  expect((await ada.patch(`/messages/${edited.id}`, { content: "Final" })).status).toBe(200);
  expect((await ada.delete(`/messages/${deleted.id}`)).status).toBe(204);
  expect((await ada.post(threadOf(kept), { content: "Reply" })).status).toBe(201);
  await say("New");
  await catchUp(page);
  answer.release();
  for (const text of ["Kept", "Final", "New"]) await messageWith(page, text).waitFor();
  await messageWith(page, "Kept").getByRole("button", { name: "1 reply" }).waitFor();
  for (const text of ["Draft", "Mistake"]) expect(await messageWith(page, text).count()).toBe(0);
});

test("messages that were sent between a history's answer and the beginning of the connection are shown", async () => {
  await say("Before");
  const connecting = createGate();
  let answer = { given: Promise.resolve(), release: () => {} };
  const page = await stage.visit(ben, {
    path: channels.scene.path,
    async prepare(empty) {
      await empty.routeWebSocket(/.*/, async (socket) => {
        await connecting.opened;
        socket.connectToServer();
      });
      answer = await holdAnswer(empty, historyAddress());
    },
  });
  await answer.given;
  await say("Between");
  connecting.open();
  await catchUp(page);
  answer.release();
  for (const text of ["Before", "Between"]) await messageWith(page, text).waitFor();
});

test("a reply of the time in which a thread was read is shown, and counted once", async () => {
  const root = await say("Root");
  const page = await visitStart();
  await enter(page);
  const answer = await holdAnswer(page, /\/thread\?/);
  await act(page, "Root", "Reply in a thread");
  await answer.given;
  expect((await ada.post(threadOf(root), { content: "Meanwhile" })).status).toBe(201);
  await catchUp(page);
  answer.release();
  const panel = page.getByRole("complementary", { name: "Thread" });
  await panel.getByText("Meanwhile", { exact: true }).waitFor();
  await messageWith(page, "Root").getByRole("button", { name: "1 reply" }).waitFor();
});

test("a pin of the time in which the pins were read is shown", async () => {
  const message = await say("Worth keeping");
  const page = await visitStart();
  await enter(page);
  await messageWith(page, "Worth keeping").waitFor();
  const answer = await holdAnswer(page, /\/pinned-messages\?/);
  await page.getByRole("button", { name: "Pinned messages" }).click();
  await answer.given;
  expect((await ada.post(`/channels/${channels.scene.id}/messages/${message.id}/pin`)).status).toBe(204);
  await catchUp(page);
  answer.release();
  await page.getByRole("complementary", { name: "Pinned messages" }).getByText("Worth keeping").waitFor();
});
