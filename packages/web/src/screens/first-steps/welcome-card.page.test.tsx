import type { Onboarding, OnboardingOption } from "@parley/client";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { channelPath, community, member, newId, user } from "../../page-stage/fixtures.js";
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
