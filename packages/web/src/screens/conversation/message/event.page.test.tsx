import type { DetailedMessage } from "@parley/client";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { storedPart } from "../../../page-stage/bot.js";
import { composer, messageWith } from "../../../page-stage/conversation.js";
import { channel, channelPath, community, madeAt, message, newId, user } from "../../../page-stage/fixtures.js";
import { entry } from "../../../page-stage/menus.js";
import { gone, shown } from "../../../page-stage/seeing.js";
import { visit } from "../../../page-stage/stage.js";
import { world } from "../../../page-stage/world.js";

/** A server with a voice channel, whose #general has an event that ends, with a place. */
function planned() {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ada, ben]);
  const lounge = channel(club.server, "Lounge", { type: "voice", position: 1 });
  const [general] = club.channels;
  const event: NonNullable<DetailedMessage["event"]> = {
    ...{ id: newId(), name: "Blitz evening", description: null, created_by: ben.id, created_at: madeAt },
    ...{ starts_at: "2099-01-02T18:00:00.000Z", ends_at: "2099-01-02T21:00:00.000Z" },
    ...{ place: "Town hall", voice_channel_id: lounge.id, interested_count: 1, me: false },
  };
  const sent = message(general, ben, "📅 Blitz evening", { event });
  club.channels.push(lounge);
  club.messages[general.id] = [sent];
  return { ada, ben, club, general, lounge, event, sent };
}

test("an event is planned with an end, a place and a voice channel", async () => {
  const { ada, club, general, lounge } = planned();
  const stage = await visit(world(ada, [club]), { path: channelPath(general) });
  stage.server.on<{ name: string; starts_at: string; nonce: string }>("POST /channels/:id/events", ({ body }) => {
    const { nonce, ...planned } = body;
    const event = { id: newId(), description: null, created_by: ada.id, created_at: madeAt, ...planned };
    const made = message(general, ada, `📅 ${body.name}`, { event });
    stage.arrives(made);
    return { ...storedPart(made), nonce };
  });
  await shown(composer());
  await stage.settled();
  await page.getByRole("button", { name: "Poll, event, files" }).click();
  await page.getByRole("menuitem", { name: "Plan an event" }).click();
  const dialog = page.getByRole("dialog", { name: "Plan an event" });
  await dialog.getByRole("textbox", { name: "Name" }).fill("Rapid evening");
  await dialog.getByLabelText("Starts").fill("2099-02-03T18:00");
  await dialog.getByLabelText("Ends (optional)").fill("2099-02-03T21:00");
  await dialog.getByRole("textbox", { name: "Place (optional)" }).fill("Library");
  await dialog.getByRole("combobox", { name: "Voice channel" }).selectOptions("Lounge");
  await dialog.getByRole("button", { name: "Send event" }).click();
  await shown(page.getByRole("region", { name: "Rapid evening" }).getByText("Library"));
  expect(stage.server.requests("POST /channels/:id/events").at(-1)?.body).toMatchObject({
    starts_at: new Date("2099-02-03T18:00").toISOString(),
    ends_at: new Date("2099-02-03T21:00").toISOString(),
    place: "Library",
    voice_channel_id: lounge.id,
  });
});

test("a card shows where an event is, and one says that one is interested and takes it back", async () => {
  const { ada, club, general, lounge, event, sent } = planned();
  const { server, socket } = await visit(world(ada, [club]), { path: channelPath(general) });
  server.on("PUT /events/:id/interested", () => undefined);
  server.on("DELETE /events/:id/interested", () => undefined);
  const counts = (interested_count: number) => {
    const { me: _, ...said } = event;
    socket.event("EVENT_UPDATE", { ...said, interested_count, channel_id: general.id, message_id: sent.id });
  };
  const card = page.getByRole("region", { name: "Blitz evening" });
  const interest = (pressed: boolean) => card.getByRole("button", { name: "I’m interested", pressed });
  await shown(card.getByText(/^Ends .* 2099/));
  await shown(card.getByText("Town hall"));
  await expect
    .element(card.getByRole("link", { name: "Lounge" }))
    .toHaveAttribute("href", `/app${channelPath(lounge)}`);
  await shown(card.getByText("1 person is interested"));
  await interest(false).click();
  await shown(interest(true));
  counts(2);
  await shown(card.getByText("2 people are interested"));
  await interest(true).click();
  await shown(interest(false));
  counts(0);
  await gone(card.getByText("2 people are interested"));
});

test("the creator edits an event in the fields that they filled, and only what changed is sent", async () => {
  const { ben, club, general, event, sent } = planned();
  const { server } = await visit(world(ben, [club]), { path: channelPath(general) });
  server.on<object>("PATCH /events/:id", ({ body }) => ({
    ...{ ...event, ...body },
    ...{ channel_id: general.id, message_id: sent.id },
  }));
  await messageWith("Town hall").click({ button: "right" });
  await entry("Edit event").click();
  const dialog = page.getByRole("dialog", { name: "Edit event" });
  await expect.element(dialog.getByRole("textbox", { name: "Name" })).toHaveValue("Blitz evening");
  await expect.element(dialog.getByRole("textbox", { name: "Place (optional)" })).toHaveValue("Town hall");
  await expect.element(dialog.getByRole("combobox", { name: "Voice channel" })).toHaveDisplayValue("Lounge");
  await dialog.getByRole("textbox", { name: "Place (optional)" }).fill("Library");
  await dialog.getByLabelText("Ends (optional)").fill("2099-01-03T23:00");
  await dialog.getByRole("button", { name: "Save" }).click();
  await gone(dialog);
  await shown(page.getByRole("region", { name: "Blitz evening" }).getByText("Library"));
  expect(server.requests("PATCH /events/:id").map(({ body }) => body)).toEqual([
    { place: "Library", ends_at: new Date("2099-01-03T23:00").toISOString() },
  ]);
});

test("the menu of a server lists its coming events, and follows their changes", async () => {
  const { ada, club, general, event, sent } = planned();
  let listed = [{ ...event, channel_id: general.id, message_id: sent.id }];
  const { socket } = await visit(world(ada, [club]), {
    path: channelPath(general),
    prepare: (fake) => fake.on("GET /servers/:id/events", () => listed),
  });
  await page.getByRole("button", { name: "Chess club: menu" }).click();
  await page.getByRole("menuitem", { name: "Coming events" }).click();
  const dialog = page.getByRole("dialog", { name: "Coming events" });
  await shown(dialog.getByText(/Starts .* 2099 .*Town hall · 1 person is interested/));
  const { me: _, ...said } = event;
  listed = listed.map((each) => ({ ...each, name: "Rapid evening" }));
  socket.event("EVENT_UPDATE", { ...said, name: "Rapid evening", channel_id: general.id, message_id: sent.id });
  await expect
    .element(dialog.getByRole("link", { name: "Rapid evening" }))
    .toHaveAttribute("href", `/app${channelPath(general)}/${sent.id}`);
  listed = [];
  socket.event("EVENT_DELETE", { id: event.id, channel_id: general.id, message_id: sent.id });
  await shown(dialog.getByText("No events are planned."));
});
