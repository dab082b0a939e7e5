import type { Onboarding, OnboardingPutBody } from "@parley/client";
import { permissionBits } from "@parley/contracts";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { refuse } from "../../page-stage/fake-server.js";
import { newId, role } from "../../page-stage/fixtures.js";
import { gone, shown } from "../../page-stage/seeing.js";
import { button, openSettings } from "../../page-stage/settings.js";

const field = (name: string) => page.getByRole("textbox", { name, exact: true });
const box = (name: string) => page.getByRole("checkbox", { name, exact: true });

/** The service makes the ids of what has none. */
const saved = ({ enabled, welcome = null, channels = [], questions = [] }: OnboardingPutBody): Onboarding => ({
  ...{ enabled, welcome },
  channels: channels.map(({ channel_id, description = "" }) => ({ channel_id, description })),
  questions: questions.map(({ id = newId(), title, single = false, required = false, options }) => ({
    ...{ id, title, single, required },
    options: options.map((one) => ({
      ...{ id: one.id ?? newId(), title: one.title, emoji: one.emoji ?? null },
      ...{ role_ids: one.role_ids ?? [], channel_ids: one.channel_ids ?? [] },
    })),
  })),
});

/** The welcome of a server that has none yet, with a role of players and one of moderators. */
async function openWelcome() {
  const stage = await openSettings("welcome", (server, club) => {
    club.roles.push(
      role(club.server, { name: "Players" }),
      role(club.server, { name: "Moderators", position: 2, permissions: permissionBits.KICK_MEMBERS }),
    );
    server.on("GET /servers/:id/onboarding", () => saved({ enabled: false }));
    server.on<OnboardingPutBody>("PUT /servers/:id/onboarding", ({ body }) => saved(body));
  });
  const bodies = () => stage.server.requests("PUT /servers/:id/onboarding").map((request): unknown => request.body);
  return { ...stage, server: stage.server, bodies };
}

test("a server greets newcomers, leads them to a channel, and asks what gives a role", async () => {
  const { club, bodies } = await openWelcome();
  const [general] = club.channels;
  const [players] = club.roles;
  await box("Welcome newcomers").click();
  await field("Welcome text").fill("Hello!");
  await page.getByRole("combobox", { name: "Add a channel" }).selectOptions("#general");
  await field("About #general").fill("Say hello");
  await button("Add a question").click();
  await field("Question").fill("What do you play?");
  await box("Newcomers have to answer").click();
  await field("Answer").fill("Blitz");
  await field("Emoji (optional)").fill("⚡");
  await page.getByText("Give roles", { exact: true }).click();
  await shown(box("Players"));
  // A role that moderates is not offered.
  await expect.element(box("Moderators")).not.toBeInTheDocument();
  await box("Players").click();
  await button("Save").click();
  await shown(page.getByText("Saved."));
  const question = { title: "What do you play?", single: true, required: true };
  const option = { title: "Blitz", emoji: "⚡", role_ids: [players?.id], channel_ids: [] };
  expect(bodies()).toEqual([
    {
      ...{ enabled: true, welcome: "Hello!", channels: [{ channel_id: general.id, description: "Say hello" }] },
      questions: [{ ...question, options: [option] }],
    },
  ]);

  // Saved again, questions and options keep the ids that the service made.
  await field("Answer").fill("Bullet");
  await button("Save").click();
  await shown(page.getByText("Saved."));
  await expect.poll(bodies).toHaveLength(2);
  expect(bodies().at(-1)).toMatchObject({
    questions: [{ ...question, id: expect.any(String), options: [{ id: expect.any(String), title: "Bullet" }] }],
  });
});

test("channels, answers and questions are taken away again", async () => {
  const { bodies } = await openWelcome();
  await page.getByRole("combobox", { name: "Add a channel" }).selectOptions("#general");
  await shown(field("About #general"));
  await button("Add a question").click();
  await shown(field("Question"));
  await button("Add an answer").click();
  await shown(page.getByRole("group", { name: "Answer 2" }));
  await button("Remove answer 2").click();
  await gone(page.getByRole("group", { name: "Answer 2" }));
  await button("Remove question 1").click();
  await gone(field("Question"));
  await button("Remove #general").click();
  await gone(field("About #general"));
  await button("Save").click();
  await shown(page.getByText("Saved."));
  expect(bodies()).toEqual([{ enabled: false, welcome: null, channels: [], questions: [] }]);
});

test("what the server refuses stays in the form, with the reason", async () => {
  const { server } = await openWelcome();
  server.on("PUT /servers/:id/onboarding", () => refuse(403, "You need the Manage Server permission"));
  await field("Welcome text").fill("Hello!");
  await button("Save").click();
  await shown(page.getByRole("main").getByRole("alert"));
  await expect.element(field("Welcome text")).toHaveValue("Hello!");
});
