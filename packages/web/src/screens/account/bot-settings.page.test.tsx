import type { Bot, ChangedBot } from "@parley/client";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { chooseInRow, copyWith } from "../../page-stage/conversation.js";
import { findingsInBothSchemes } from "../../page-stage/findings.js";
import { madeAt, newId, user } from "../../page-stage/fixtures.js";
import { gone, shown } from "../../page-stage/seeing.js";
import { visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

type Changes = Pick<ChangedBot, "is_public" | "requested_permissions" | "interactions_url">;

const secret = "5e".repeat(32);

/** Ada's list with one bot, and the dialog of its settings open. */
async function openBot() {
  const ada = user("ada");
  let bot: Bot = {
    ...{ id: newId(), user_id: newId(), name: "Chess", description: "Plays chess", created_by: ada.id },
    ...{ revoked_at: null, created_at: madeAt },
  };
  const stage = await visit(world(ada), {
    path: "/account/bots",
    prepare(server) {
      server.on("GET /bots", () => ({ bots: [bot] }));
      server.on("GET /bots/:id/profile", () => ({
        ...{ id: bot.id, user_id: bot.user_id, name: bot.name, description: bot.description, avatar_url: null },
        ...{ is_public: bot.is_public ?? false, requested_permissions: bot.requested_permissions ?? 0 },
        ...{ command_count: 0, server_count: 0 },
      }));
      server.on<Changes>("PATCH /bots/:id", ({ body }) => {
        bot = { ...bot, ...body };
        const isNew = typeof body.interactions_url === "string";
        return { ...bot, ...(isNew ? { interactions_secret: secret } : {}) };
      });
    },
  });
  await openDialog();
  return { stage, bot, saved: () => stage.server.requests("PATCH /bots/:id").map(({ body }) => body) };
}

const openDialog = () => chooseInRow(page.getByRole("listitem").filter({ hasText: "Chess" }), "Adding it to servers");
const settings = () => page.getByRole("dialog", { name: "Adding Chess to servers" });
const save = async () => {
  await settings().getByRole("button", { name: "Save" }).click();
  await gone(settings());
};

test("a bot is made public in its settings, which have the link that adds it", async () => {
  const { bot, saved } = await openBot();
  await settings().getByLabelText("Everybody may add it").click();
  await settings().getByLabelText("Send messages").click();
  await settings().getByLabelText("Pin messages and delete other people’s").click();
  expect(await findingsInBothSchemes()).toEqual([]);
  expect(await copyWith(settings().getByRole("button", { name: "Copy" }))).toBe(
    `${location.origin}/app/add-bot/${bot.id}`,
  );
  await save();
  expect(saved()).toEqual([{ is_public: true, requested_permissions: 6 }]);
});

test("the URL where a bot is asked is set in its settings, and its secret is shown once", async () => {
  const { stage, saved } = await openBot();
  const url = settings().getByLabelText("URL where it is asked");
  const shownSecret = page.getByText("Requests to the URL are signed with it");
  await url.fill("https://bots.example.com/chess");
  await save();
  await shown(shownSecret);
  expect(await copyWith(page.getByRole("button", { name: "Copy" }))).toBe(secret);
  await stage.reload();
  await openDialog();
  await expect.element(url).toHaveValue("https://bots.example.com/chess");
  await stage.settled();
  await gone(shownSecret);
  // A save with the same URL makes no new secret.
  await settings().getByLabelText("Everybody may add it").click();
  await save();
  await stage.settled();
  await gone(shownSecret);
  await openDialog();
  await url.fill("");
  await save();
  const [first, second, third] = saved();
  expect(first).toMatchObject({ interactions_url: "https://bots.example.com/chess", is_public: false });
  expect(second).toEqual({ is_public: true, requested_permissions: 0 });
  expect(third).toMatchObject({ interactions_url: null, is_public: true });
});
