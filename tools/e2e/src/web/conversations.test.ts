import { waitUntil } from "@parley/testing";
import { beforeAll, test } from "vitest";
import {
  act,
  actInMenu,
  type Conversation,
  messageWith,
  openConversation,
  useWebStage,
  waitUntilGone,
  write,
} from "./web-stage.js";

// The journey of two people, and a real upload; each part of a conversation by itself is in packages/web/src/screens/conversation.
const stage = useWebStage();
let talk: Conversation;

beforeAll(async () => {
  talk = await openConversation(stage);
});

test("messages go both ways, and are edited, answered and deleted in both browsers", async () => {
  const { adasPage, bensPage } = talk;
  await write(adasPage, "Shall we play tonight?");
  await messageWith(bensPage, "Shall we play tonight?").waitFor();
  await write(bensPage, "Yes, at **nine**.");
  await messageWith(adasPage, "Yes, at nine.").getByText("nine").waitFor();
  await act(bensPage, "Yes, at nine.", "Edit");
  const editor = bensPage.getByRole("textbox", { name: "Edit message" });
  await editor.fill("Yes, at ten.");
  await editor.press("Enter");
  await messageWith(adasPage, "Yes, at ten.").getByText("(edited)").waitFor();
  await act(adasPage, "Yes, at ten.", "Reply");
  await write(adasPage, "Fine with me");
  await messageWith(bensPage, "Fine with me")
    .getByRole("button", { name: /Yes, at ten\./ })
    .waitFor();
  await actInMenu(adasPage, "Shall we play tonight?", "Delete");
  await adasPage.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await waitUntilGone(messageWith(adasPage, "Shall we play tonight?"));
  await waitUntilGone(messageWith(bensPage, "Shall we play tonight?"));
});

test("an image is uploaded, seen by the other and opened in the viewer", async () => {
  const { adasPage, bensPage } = talk;
  const [chooser] = await Promise.all([
    adasPage.waitForEvent("filechooser"),
    adasPage
      .getByRole("button", { name: "Poll, event, files" })
      .click()
      .then(() => adasPage.getByRole("menuitem", { name: "Attach files" }).click()),
  ]);
  const buffer = await adasPage.screenshot();
  await chooser.setFiles({ name: "board.png", mimeType: "image/png", buffer });
  await adasPage.getByRole("button", { name: "Remove board.png" }).waitFor();
  await write(adasPage, "The position");
  const image = messageWith(bensPage, "The position").getByRole("button", { name: "Open board.png" });
  await image.click();
  const viewer = bensPage.getByRole("dialog", { name: "board.png" });
  await viewer.getByRole("img", { name: "board.png" }).waitFor();
  await waitUntil(() => bensPage.evaluate("document.querySelector('[role=dialog] img').naturalWidth === 1280"));
  await bensPage.keyboard.press("Escape");
  await waitUntilGone(viewer);
});
