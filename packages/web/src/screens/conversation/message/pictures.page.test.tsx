import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { composer, messageWith } from "../../../page-stage/conversation.js";
import { channelPath, community, message, user } from "../../../page-stage/fixtures.js";
import { holdPictures, picture, pictureSize } from "../../../page-stage/pictures.js";
import { gone, shown } from "../../../page-stage/seeing.js";
import { visit } from "../../../page-stage/stage.js";
import { world } from "../../../page-stage/world.js";

test("a picture that is still to be loaded has its size and shows its name, and moves nothing when it comes", async () => {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ada, ben]);
  const [general] = club.channels;
  const { release } = await holdPictures();
  const position = message(general, ben, "The position");
  position.attachments = [picture(position.id, "board.png")];
  club.messages[general.id] = [position, message(general, ben, "Below it")];
  const stage = await visit(world(ada, [club]), { path: channelPath(general) });
  const button = messageWith("The position").getByRole("button", { name: "Open board.png" });
  await shown(button.getByText("board.png"));
  await shown(messageWith("Below it"));
  await stage.settled();
  const places = () =>
    [button, messageWith("Below it")].map((one) => {
      const { top, left, width, height } = one.element().getBoundingClientRect();
      return { top, left, width, height };
    });
  const before = places();
  expect(before[0]?.height).toBeGreaterThan(100);
  await release();
  const widths = () => [...document.querySelectorAll<HTMLImageElement>("article img[alt='board.png']")];
  await expect.poll(() => widths().map(({ naturalWidth }) => naturalWidth)).toEqual([pictureSize.width]);
  await gone(button.getByText("board.png"));
  expect(places()).toEqual(before);
});

test("the list shows the thumbnail of a picture that has one, and the viewer the picture itself", async () => {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ada, ben]);
  const [general] = club.channels;
  await holdPictures();
  const position = message(general, ben, "The position");
  const large = picture(position.id, "board.png");
  position.attachments = [{ ...large, thumbnail_url: `${large.url}&thumbnail=true` }];
  club.messages[general.id] = [position];
  await visit(world(ada, [club]), { path: channelPath(general) });
  const sources = (within: string) =>
    [...document.querySelectorAll(`${within} img[alt='board.png']`)].map((image) => image.getAttribute("src") ?? "");
  await messageWith("The position").getByRole("button", { name: "Open board.png" }).click();
  await expect.poll(() => sources("[role='dialog']")).toEqual([expect.not.stringContaining("thumbnail")]);
  expect(sources("article")).toEqual([expect.stringMatching(/&thumbnail=true$/)]);
});

test("a picture that follows its message, and a growing composer, leave the end in sight", async () => {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ada, ben]);
  const [general] = club.channels;
  const { release } = await holdPictures();
  club.messages[general.id] = Array.from({ length: 30 }, (_, n) => message(general, ben, `Read ${n + 1}.`));
  const stage = await visit(world(ada, [club]), { path: channelPath(general) });
  await shown(messageWith("Read 30."));
  await stage.settled();
  const signed = message(general, ben, "Signed.");
  stage.arrives(signed);
  await shown(messageWith("Signed."));
  const attachments = [picture(signed.id, "letter.png")];
  stage.socket.event("ATTACHMENT_CREATE", { channel_id: general.id, message_id: signed.id, attachments });
  await shown(messageWith("Signed.").getByRole("button", { name: "Open letter.png" }));
  const isSeen = () => {
    const row = messageWith("Signed.").element().getBoundingClientRect();
    const frame = page.getByRole("region", { name: "Messages" }).element().getBoundingClientRect();
    return row.top >= frame.top && row.bottom <= frame.bottom;
  };
  await expect.poll(isSeen).toBe(true);
  await release();
  await expect.poll(isSeen).toBe(true);
  await composer().fill("One\nline\nafter\nthe\nother");
  await expect.poll(isSeen).toBe(true);
});
