import type { Onboarding, OnboardingOption } from "@parley/client";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { channelPath, community, member, newId, role, user } from "../../page-stage/fixtures.js";
import { gone, shown } from "../../page-stage/seeing.js";
import { visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";
import { useFirstSteps } from "../../state/community/first-steps.js";

const option = (title: string): OnboardingOption => ({
  ...{ id: newId(), title, emoji: null, role_ids: [], channel_ids: [] },
});

test("a newcomer reads the welcome, answers what has to be answered, and is not asked again", async () => {
  const [owner, ada] = [user("owner"), user("ada")];
  const club = community([owner, ada]);
  const [general] = club.channels;
  const [blitz, slow] = [option("Blitz"), option("Slow games")];
  const question = { id: newId(), title: "What do you play?", single: false, required: true, options: [blitz, slow] };
  const onboarding: Onboarding = {
    ...{ enabled: true, welcome: "Nice to **see** you!", questions: [question] },
    channels: [{ channel_id: general.id, description: "Say hello" }],
  };
  useFirstSteps.getState().begin(club.server.id, "member");
  const { server } = await visit(world(ada, [club]), {
    path: channelPath(general),
    prepare(fake) {
      fake.on("GET /servers/:id/onboarding", () => onboarding);
      fake.on("PUT /servers/:id/members/@me/onboarding", () => member(ada));
    },
  });
  const card = page.getByRole("region", { name: /Chess club/ });
  await shown(card.getByText("Say hello"));
  await shown(card.getByText("see"));
  await expect
    .element(card.getByRole("link", { name: "#general" }))
    .toHaveAttribute("href", `/app${channelPath(general)}`);
  const save = card.getByRole("button", { name: "Save my answers" });
  await expect.element(save).toBeDisabled();
  await card.getByRole("checkbox", { name: "Blitz" }).click();
  await card.getByRole("checkbox", { name: "Slow games" }).click();
  await save.click();
  await gone(save);
  expect(server.requests("PUT /servers/:id/members/@me/onboarding").map(({ body }) => body)).toEqual([
    { answers: { [question.id]: [blitz.id, slow.id] } },
  ]);
});

test("a member changes answers later, beginning with those whose roles they have", async () => {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ben, ada]);
  const [general] = club.channels;
  const player = role(club.server, { name: "Players" });
  club.roles.push(player);
  club.members
    .find(({ user_id }) => user_id === ada.id)
    ?.roles.push({
      ...{ id: player.id, name: player.name },
      ...{ color: player.color, position: player.position },
    });
  const [blitz, slow] = [{ ...option("Blitz"), role_ids: [player.id] }, option("Slow games")];
  const question = { id: newId(), title: "What do you play?", single: false, required: false, options: [blitz, slow] };
  const onboarding = { enabled: true, welcome: null, questions: [question], channels: [] };
  const { server } = await visit(world(ada, [club]), {
    path: channelPath(general),
    prepare(fake) {
      fake.on("GET /servers/:id/onboarding", () => onboarding);
      fake.on("PUT /servers/:id/members/@me/onboarding", () => member(ada));
    },
  });
  await page.getByRole("button", { name: "Chess club: menu" }).click();
  await page.getByRole("menuitem", { name: "Answer its questions" }).click();
  const card = page.getByRole("region", { name: /Chess club/ });
  await expect.element(card.getByRole("checkbox", { name: "Blitz" })).toBeChecked();
  await expect.element(card.getByRole("checkbox", { name: "Slow games" })).not.toBeChecked();
  await card.getByRole("checkbox", { name: "Blitz" }).click();
  await card.getByRole("checkbox", { name: "Slow games" }).click();
  await card.getByRole("button", { name: "Save my answers" }).click();
  await expect
    .poll(() => server.requests("PUT /servers/:id/members/@me/onboarding").at(-1)?.body)
    .toEqual({ answers: { [question.id]: [slow.id] } });
});
