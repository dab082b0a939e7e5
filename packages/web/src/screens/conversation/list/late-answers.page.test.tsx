import type { DetailedMessage } from "@parley/client";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { act, composer, messageWith } from "../../../page-stage/conversation.js";
import type { FakeConnection } from "../../../page-stage/fake-socket.js";
import { channel, channelPath, community, created, madeAt, message, user } from "../../../page-stage/fixtures.js";
import { gone, shown } from "../../../page-stage/seeing.js";
import { type Stage, visit } from "../../../page-stage/stage.js";
import { readyOf, world } from "../../../page-stage/world.js";

// Answers and events come by different ways: an answer can be older than events that were there before it.

/** A server of Ada with the channel where Ben begins, the one where it happens, and one whose first message is a mark. */
function rooms() {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ada, ben]);
  const [general] = club.channels;
  const [scene, mark] = [channel(club.server, "scene"), channel(club.server, "mark")];
  club.channels = [general, scene, mark];
  return { ada, club, general, scene, mark, there: world(ben, [club]) };
}
type Rooms = ReturnType<typeof rooms>;

/** Ben's page with these messages of Ada in the scene, elsewhere and connected. */
async function visitStart(texts: readonly string[]) {
  const place = rooms();
  const sent = texts.map((text) => message(place.scene, place.ada, text));
  place.club.messages[place.scene.id] = sent;
  const stage = await visit(place.there, { path: channelPath(place.general) });
  await shown(composer());
  await stage.settled();
  return { ...place, stage, sent };
}

/** Waits until every event so far is applied. */
async function catchUp({ arrives }: Pick<Stage, "arrives">, { ada, mark }: Rooms): Promise<void> {
  arrives(message(mark, ada, "Mark"));
  await shown(page.getByRole("link", { name: mark.name }).filter({ hasText: "unread" }));
}

/** Ben opens the channel where it happens. */
const enter = () => page.getByRole("link", { name: "scene" }).click();

const history = "GET /channels/:id/messages";
const only = <Item,>([item]: readonly Item[]): Item => {
  if (item === undefined) throw new Error("There is no message.");
  return item;
};

/** A reply to a message, in its thread. */
const replyTo = (root: DetailedMessage, { ada, scene }: Rooms, text: string) =>
  created(message(scene, ada, text, { thread_id: root.id }), scene);

test("messages that were sent, edited and deleted while a history was read are shown as they are", async () => {
  const place = await visitStart(["Kept", "Draft", "Mistake"]);
  const { stage, scene, sent, ada } = place;
  const [kept, edited, deleted] = sent;
  if (kept === undefined || edited === undefined || deleted === undefined) throw new Error("A message is missing.");
  const answer = stage.server.hold(history, () => [deleted, edited, kept]);
  await enter();
  await answer.asked;
  const { attachments: _files, ...changed } = created(edited, scene);
  stage.socket.event("MESSAGE_UPDATE", { ...changed, content: "Final", edited_at: madeAt });
  stage.socket.event("MESSAGE_DELETE", { id: deleted.id, channel_id: scene.id });
  stage.socket.event("THREAD_MESSAGE_CREATE", replyTo(kept, place, "Reply"));
  stage.arrives(message(scene, ada, "New"));
  await catchUp(stage, place);
  answer.release();
  for (const text of ["Kept", "Final", "New"]) await shown(messageWith(text));
  await shown(messageWith("Kept").getByRole("button", { name: "1 reply" }));
  await stage.settled();
  for (const text of ["Draft", "Mistake"]) await gone(messageWith(text));
});

test("messages that were sent between a history's answer and the beginning of the connection are shown", async () => {
  const place = rooms();
  const { club, ada, scene, there } = place;
  const before = message(scene, ada, "Before");
  club.messages[scene.id] = [before];
  let begin = (): void => undefined;
  let answer = { asked: Promise.resolve(), release: (): void => undefined };
  const stage = await visit(there, {
    path: channelPath(scene),
    onConnection: (connection: FakeConnection) => {
      begin = () => connection.event("READY", readyOf(there));
    },
    prepare: (server) => {
      let isFirst = true;
      answer = server.hold(history, () => {
        if (!isFirst) return (club.messages[scene.id] ?? []).toReversed();
        isFirst = false;
        return [before];
      });
    },
  });
  await answer.asked;
  // Before READY there is no event of it.
  club.messages[scene.id] = [before, message(scene, ada, "Between")];
  await expect.poll(() => stage.connections).toBe(1);
  begin();
  await catchUp(stage, place);
  answer.release();
  for (const text of ["Before", "Between"]) await shown(messageWith(text));
});

test("a reply of the time in which a thread was read is shown, and counted once", async () => {
  const place = await visitStart(["Root"]);
  const root = only(place.sent);
  await enter();
  await shown(messageWith("Root"));
  await place.stage.settled();
  const answer = place.stage.server.hold("GET /channels/:id/messages/:message/thread", () => []);
  await act("Root", "Reply in a thread");
  await answer.asked;
  place.stage.socket.event("THREAD_MESSAGE_CREATE", replyTo(root, place, "Meanwhile"));
  await catchUp(place.stage, place);
  answer.release();
  await shown(page.getByRole("complementary", { name: "Thread" }).getByText("Meanwhile", { exact: true }));
  await shown(messageWith("Root").getByRole("button", { name: "1 reply" }));
  await place.stage.settled();
  await shown(messageWith("Root").getByRole("button", { name: "1 reply" }));
});

test("a pin of the time in which the pins were read is shown", async () => {
  const place = await visitStart(["Worth keeping"]);
  const { stage, scene, ada } = place;
  await enter();
  await shown(messageWith("Worth keeping"));
  await stage.settled();
  const answer = stage.server.hold("GET /channels/:id/pinned-messages", () => []);
  await page.getByRole("button", { name: "Pinned messages" }).click();
  await answer.asked;
  const pinned = { message_id: only(place.sent).id, channel_id: scene.id, pinned_by: ada.id, pinned_at: madeAt };
  stage.socket.event("MESSAGE_PIN", pinned);
  await catchUp(stage, place);
  answer.release();
  await shown(page.getByRole("complementary", { name: "Pinned messages" }).getByText("Worth keeping"));
});
