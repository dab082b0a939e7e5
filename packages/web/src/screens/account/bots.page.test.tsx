import type { Bot } from "@parley/client";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { chooseInRow, confirmWith, copyWith } from "../../page-stage/conversation.js";
import { madeAt, newId, user } from "../../page-stage/fixtures.js";
import { shown } from "../../page-stage/seeing.js";
import { openSection } from "../../page-stage/settings.js";
import { visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

test("a bot is made with a token that is shown once, and is revoked", async () => {
  const { server } = await visit(world(user("karl")), { path: "/account" });
  const bots: Bot[] = [];
  server.on("GET /bots", () => ({ bots }));
  server.on<Pick<Bot, "name" | "description">>("POST /bots", ({ body: { name, description } }) => {
    const bot: Bot = {
      id: newId(),
      user_id: newId(),
      name,
      description,
      created_by: null,
      revoked_at: null,
      created_at: madeAt,
    };
    bots.push(bot);
    return { bot, token: "token of the referee", discord_token: "id.x.token of the referee" };
  });
  server.on("DELETE /bots/:id", () => {
    bots[0] = Object.assign({}, ...bots, { revoked_at: madeAt });
  });
  await openSection("Bots");
  await page.getByRole("textbox", { name: "Name" }).fill("Referee");
  await page.getByRole("button", { name: "Create a bot" }).click();
  await shown(page.getByText("Copy it now: you won’t see it again. Anyone who has it can act as the bot."));
  const copy = page.getByRole("main").getByRole("button", { name: "Copy" });
  expect(await copyWith(copy.first())).toBe("token of the referee");
  await shown(page.getByText("Token for programs written for Discord"));
  expect(await copyWith(copy.last())).toBe("id.x.token of the referee");
  expect(server.requests("POST /bots").at(-1)?.body).toMatchObject({ name: "Referee" });
  const row = page.getByRole("main").getByRole("listitem").filter({ hasText: "Referee" });
  await chooseInRow(row, "Revoke");
  await confirmWith("Revoke");
  await shown(row.getByText("Revoked"));
  expect(server.requests("DELETE /bots/:id").map(({ path }) => path)).toEqual([`/bots/${bots[0]?.id}`]);
});
