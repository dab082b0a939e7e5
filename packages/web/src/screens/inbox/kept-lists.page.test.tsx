import type { Reminder, SavedPage, ScheduledMessage } from "@parley/client";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { composer } from "../../page-stage/conversation.js";
import { answer } from "../../page-stage/fake-server.js";
import { channelPath, community, madeAt, message, newId, user } from "../../page-stage/fixtures.js";
import { gone, shown } from "../../page-stage/seeing.js";
import { visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

function clubOfTwo() {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ada, ben]);
  const [general] = club.channels;
  return { ada, ben, club, general };
}
const rows = (name: string) => page.getByRole("list", { name }).getByRole("listitem");

test("saved messages have notes, which are changed, and are kept no longer", async () => {
  const { ada, ben, club, general } = clubOfTwo();
  const sent = { ...message(general, ben, "The hall is in Mill Lane"), server_id: club.server.id };
  let saved: SavedPage["saved"] = [{ message: sent, saved_at: madeAt, note: null }];
  const stage = await visit(world(ada, [club]), {
    path: "/inbox/saved",
    prepare(server) {
      server.on("GET /users/@me/saved", () => ({ saved }));
      server.on<{ note?: string | null }>("PUT /users/@me/saved/:message", ({ body }) => {
        const kept = { saved_at: madeAt, note: body.note ?? null };
        saved = [{ message: sent, ...kept }];
        stage.socket.event("SAVED_UPDATE", { message_id: sent.id, saved: kept });
      });
      server.on("DELETE /users/@me/saved/:message", () => {
        saved = [];
        stage.socket.event("SAVED_UPDATE", { message_id: sent.id, saved: null });
      });
    },
  });
  const row = rows("Saved");
  await shown(row.getByText("The hall is in Mill Lane"));
  await row.getByRole("button", { name: /^More/ }).click();
  await page.getByRole("menuitem", { name: "Change the note" }).click();
  await page.getByRole("dialog").getByRole("textbox", { name: "Note" }).fill("Ring twice");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await shown(row.getByText("Ring twice"));
  await row.getByRole("button", { name: /^More/ }).click();
  await page.getByRole("menuitem", { name: "Remove from saved" }).click();
  await shown(page.getByText(/^Nothing saved yet/));
});

test("reminders are set without a message, listed, and deleted", async () => {
  const { ada, club } = clubOfTwo();
  let reminders: Reminder[] = [];
  const stage = await visit(world(ada, [club]), {
    path: "/inbox/reminders",
    prepare(server) {
      server.on("GET /users/@me/reminders", () => ({ reminders }));
      server.on<{ text: string; at: string }>("POST /users/@me/reminders", ({ body }) => {
        const reminder = { id: newId(), message_id: null, created_at: madeAt, ...body };
        reminders = [reminder];
        stage.socket.event("REMINDER_UPDATE", { id: reminder.id, reminder });
        return reminder;
      });
      server.on("DELETE /users/@me/reminders/:id", ({ params: { id = "" } }) => {
        reminders = [];
        stage.socket.event("REMINDER_UPDATE", { id, reminder: null });
      });
    },
  });
  await page.getByRole("button", { name: "New reminder" }).click();
  await page.getByRole("dialog").getByRole("textbox", { name: "About what" }).fill("Book the hall");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await shown(rows("Reminders").getByText("Book the hall"));
  await rows("Reminders").getByRole("button", { name: "Delete: Book the hall" }).click();
  await gone(rows("Reminders"));
});

test("a text is sent later, and a refused one shows why and is planned anew", async () => {
  const { ada, club, general } = clubOfTwo();
  let plans: ScheduledMessage[] = [];
  const stage = await visit(world(ada, [club]), {
    path: channelPath(general),
    prepare(server) {
      server.on("GET /users/@me/scheduled-messages", () => ({ scheduled_messages: plans }));
      server.on<Partial<ScheduledMessage>>("PATCH /users/@me/scheduled-messages/:id", ({ body }) => {
        plans = plans.map((plan) => ({ ...plan, ...body, error: null }));
        const [plan] = plans;
        if (plan !== undefined)
          stage.socket.event("SCHEDULED_MESSAGE_UPDATE", { id: plan.id, scheduled_message: plan });
        return plan;
      });
      server.on("DELETE /users/@me/scheduled-messages/:id", ({ params: { id = "" } }) => {
        plans = [];
        stage.socket.event("SCHEDULED_MESSAGE_UPDATE", { id, scheduled_message: null });
      });
    },
  });
  stage.server.on<{ content: string; send_at: string }>(
    "POST /channels/:id/messages",
    ({ body: { content, send_at } }) => {
      const plan = { id: newId(), send_at };
      const error = { code: "missing_permission", message: "Missing permission: SEND_MESSAGES" };
      plans = [
        { ...plan, channel_id: general.id, thread_id: null, content, reply_to: null, created_at: madeAt, error },
      ];
      return answer(202, plan);
    },
  );
  await composer().fill("Good morning");
  await page.getByRole("button", { name: "Poll, event, files" }).click();
  await page.getByRole("menuitem", { name: "Send later" }).click();
  const dialog = page.getByRole("dialog", { name: "Send later" });
  await dialog.getByLabelText("When").fill("2099-01-02T09:00");
  await userEvent.keyboard("{Enter}");
  await shown(page.getByText(/^Will be sent: /));
  await expect.element(composer()).toHaveValue("");
  const [asked] = stage.server.requests<{ content: string; send_at: string }>("POST /channels/:id/messages");
  expect(asked?.body).toMatchObject({ content: "Good morning", send_at: new Date("2099-01-02T09:00").toISOString() });
  stage.goTo("/inbox/scheduled");
  const row = rows("Scheduled");
  await shown(row.getByText("Not sent"));
  await shown(row.getByRole("alert"));
  await row.getByRole("button", { name: "Edit: Not sent" }).click();
  const change = page.getByRole("dialog", { name: "Change the scheduled message" });
  await change.getByRole("textbox", { name: "Message" }).fill("Good evening");
  await change.getByRole("button", { name: "Save" }).click();
  await shown(row.getByText("Good evening"));
  await shown(row.getByText(/^Goes out: /));
  await row.getByRole("button", { name: /^More/ }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await gone(row);
});
