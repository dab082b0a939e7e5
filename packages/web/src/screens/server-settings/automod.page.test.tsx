import type { AutomodConfig, AutomodLogEntry, AutomodWord } from "@parley/client";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { madeAt, newId } from "../../page-stage/fixtures.js";
import { shown } from "../../page-stage/seeing.js";
import { button, openSettings, row } from "../../page-stage/settings.js";

const off = (server_id: string): AutomodConfig => ({
  server_id,
  enabled: false,
  spam_enabled: false,
  spam_max_messages: 5,
  spam_window_secs: 5,
  spam_action: "delete",
  duplicate_enabled: false,
  word_filter_enabled: false,
  word_filter_action: "delete",
  timeout_minutes: 10,
  updated_at: madeAt,
});

test("auto-moderation is turned on, gets a word, shows its log and loses the word again", async () => {
  const { server } = await openSettings("automod", (fresh, { server: { id }, members }) => {
    const entry: AutomodLogEntry = {
      id: newId(),
      server_id: id,
      channel_id: null,
      user_id: members[1]?.user_id ?? null,
      username: "ben",
      rule_type: "word_filter",
      action_taken: "delete",
      message_content: "You are checkmated",
      matched_term: "checkmated",
      created_at: madeAt,
    };
    fresh.on("GET /servers/:id/automod", () => off(id));
    fresh.on("GET /servers/:id/automod/words", () => []);
    fresh.on("GET /servers/:id/automod/rules", () => []);
    fresh.on("GET /servers/:id/automod/logs", () => [entry]);
  });
  server.on<Partial<AutomodConfig>>("PATCH /servers/:id/automod", ({ params: { id = "" }, body }) => ({
    ...off(id),
    ...body,
  }));
  server.on<{ word: string }>("POST /servers/:id/automod/words", ({ params: { id = "" }, body: { word } }) => {
    const added: AutomodWord = { id: newId(), server_id: id, word, created_by: null, created_at: madeAt };
    return added;
  });
  server.on("DELETE /servers/:id/automod/words/:word", () => undefined);
  // The switch belongs to these rules alone; those that the server makes have one each.
  const builtIn = page.getByRole("region", { name: "Spam, repetition and words" });
  await builtIn.getByRole("checkbox", { name: "These rules are on" }).click();
  await builtIn.getByRole("button", { name: "Save" }).click();
  await shown(builtIn.getByText("Saved."));
  // Each rule has its panel, and saving it leaves the others alone.
  const words = page.getByRole("region", { name: "Words", exact: true });
  await words.getByRole("checkbox", { name: "Block messages that contain these words" }).click();
  await words.getByRole("combobox", { name: "Action" }).selectOptions("timeout");
  await words.getByRole("button", { name: "Save" }).click();
  await shown(words.getByText("Saved."));
  expect(server.requests("PATCH /servers/:id/automod").map(({ body }) => body)).toEqual([
    { enabled: true, timeout_minutes: 10 },
    { word_filter_enabled: true, word_filter_action: "timeout" },
  ]);
  await shown(page.getByText("The list is empty."));
  await page.getByRole("textbox", { name: "Word" }).fill("checkmated");
  await button("Add").click();
  await shown(row("Words", "checkmated"));
  await shown(row("Log", "ben").filter({ hasText: "You are checkmated" }));
  await page.getByRole("button", { name: "Remove checkmated" }).click();
  await shown(page.getByText("The list is empty."));
  expect(server.requests("DELETE /servers/:id/automod/words/:word").at(-1)?.path).toMatch(/\/checkmated$/);
});
