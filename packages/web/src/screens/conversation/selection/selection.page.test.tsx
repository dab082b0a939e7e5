import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { actInMenu, messageWith, sentMessage } from "../../../page-stage/conversation.js";
import { channelPath, community, message, user } from "../../../page-stage/fixtures.js";
import { counted, gone, shown } from "../../../page-stage/seeing.js";
import { visit } from "../../../page-stage/stage.js";
import { world } from "../../../page-stage/world.js";

const box = (text: string) => messageWith(text).getByRole("checkbox", { name: "Select this message" });
const bar = () => page.getByRole("toolbar", { name: "Selected messages" });

async function openSpam(whose: "ada" | "ben") {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ada, ben]);
  const [general] = club.channels;
  const sent = ["spam 1", "spam 2", "spam 3", "spam 4", "keep me"].map((text) => message(general, ada, text));
  club.messages[general.id] = sent;
  const stage = await visit(world({ ada, ben }[whose], [club]), { path: channelPath(general) });
  await sentMessage("keep me");
  const spam = sent.slice(0, 4).map(({ id }) => id);
  return { stage, general, spam };
}

test("many messages are selected by pointer, with Shift and by keyboard, and deleted after a question", async () => {
  const { stage, general, spam } = await openSpam("ada");
  stage.server.on<{ message_ids: string[] }>("POST /channels/:id/messages/bulk-delete", ({ body }) => ({
    deleted: body.message_ids.length,
  }));
  await actInMenu("spam 1", "Select");
  await shown(bar().getByText("1 message selected"));
  await box("spam 3").click({ modifiers: ["Shift"] });
  await shown(bar().getByText("3 messages selected"));
  await userEvent.keyboard("{Escape}");
  await gone(bar());

  await actInMenu("spam 1", "Select");
  await shown(bar().getByText("1 message selected"));
  messageWith("spam 3").element().focus();
  await userEvent.keyboard("{Shift>} {/Shift}");
  await shown(bar().getByText("3 messages selected"));
  await userEvent.keyboard("{ArrowDown} {ArrowDown} ");
  await shown(bar().getByText("5 messages selected"));
  await box("keep me").click();
  await shown(bar().getByText("4 messages selected"));
  await shown(messageWith("spam").first());
  await bar().getByRole("button", { name: "Delete" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete 4 messages?" });
  await shown(dialog);
  expect(stage.server.requests("POST /channels/:id/messages/bulk-delete")).toEqual([]);
  await dialog.getByRole("button", { name: "Delete" }).click();
  await gone(bar());
  await counted(messageWith("spam"), 0);
  await shown(messageWith("keep me"));
  const [request] = stage.server.requests<{ message_ids: string[] }>("POST /channels/:id/messages/bulk-delete");
  expect(request?.path).toBe(`/channels/${general.id}/messages/bulk-delete`);
  expect(request?.body.message_ids.toSorted()).toEqual(spam.toSorted());
});

test("messages that a moderator deletes together go from the pages of others", async () => {
  const { stage, general, spam } = await openSpam("ben");
  await counted(messageWith("spam"), 4);
  await stage.settled();
  stage.socket.event("MESSAGE_DELETE_BULK", { channel_id: general.id, ids: spam });
  await counted(messageWith("spam"), 0);
  await shown(messageWith("keep me"));
});
