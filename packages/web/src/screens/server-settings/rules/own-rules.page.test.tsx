import type { AutomodRule } from "@parley/client";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { chooseInRow } from "../../../page-stage/conversation.js";
import { madeAt, newId } from "../../../page-stage/fixtures.js";
import { gone, shown } from "../../../page-stage/seeing.js";
import { openSettings, row } from "../../../page-stage/settings.js";

const own = (name: string) => row("Own rules", name);

const noLinks: AutomodRule["trigger"] = { type: "links", domains: [], mode: "block_listed" };

test("an owner makes a rule with its fields, tries a text on it, edits it, turns it off and deletes it", async () => {
  const rules: AutomodRule[] = [];
  const { server } = await openSettings("automod", (fresh, { server: { id } }) => {
    fresh.on("GET /servers/:id/automod", () => ({
      ...{ server_id: id, enabled: false, updated_at: madeAt, timeout_minutes: 10, duplicate_enabled: false },
      ...{ spam_enabled: false, spam_max_messages: 5, spam_window_secs: 5, spam_action: "delete" },
      ...{ word_filter_enabled: false, word_filter_action: "delete" },
    }));
    fresh.on("GET /servers/:id/automod/words", () => []);
    fresh.on("GET /servers/:id/automod/logs", () => []);
    fresh.on("GET /servers/:id/automod/rules", () => rules);
    fresh.on<Partial<AutomodRule>>("POST /servers/:id/automod/rules", ({ body }) => {
      const rule: AutomodRule = {
        ...{ id: newId(), server_id: id, name: "", enabled: true, trigger: noLinks },
        ...{ exempt_role_ids: [], exempt_channel_ids: [], actions: [], created_by: null, ...body },
        ...{ created_at: madeAt, updated_at: madeAt },
      };
      rules.push(rule);
      return rule;
    });
    fresh.on<Partial<AutomodRule>>("PATCH /servers/:id/automod/rules/:rule", ({ params: { rule }, body }) =>
      Object.assign(rules.find((one) => one.id === rule) ?? {}, body),
    );
  });
  server.on("POST /servers/:id/automod/rules/test", () => ({
    matches: rules.map((rule) => ({ rule_id: rule.id, term: "shop.evil.com" })),
  }));
  server.on("DELETE /servers/:id/automod/rules/:rule", () => undefined);
  await page.getByRole("button", { name: "Create rule" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabelText("Name", { exact: true }).fill("Scams");
  await dialog.getByLabelText("When").selectOptions("Links");
  await dialog.getByLabelText("Domains").fill("evil.com\nworse.org");
  await dialog.getByLabelText("Text that the author sees").fill("No such links here");
  await dialog.getByLabelText("Report to the moderators").click();
  await dialog.getByRole("button", { name: "Save" }).click();
  await shown(own("Scams").getByText("Links · Block the message · Report to the moderators"));
  expect(server.requests("POST /servers/:id/automod/rules").map(({ body }) => body)).toMatchObject([
    {
      name: "Scams",
      trigger: { type: "links", domains: ["evil.com", "worse.org"], mode: "block_listed" },
      actions: [{ type: "block", message: "No such links here" }, { type: "flag" }],
    },
  ]);

  await page.getByLabelText("Text", { exact: true }).fill("see shop.evil.com now");
  await page.getByRole("button", { name: "Try it" }).click();
  await shown(page.getByText("Matches: Scams · shop.evil.com"));
  expect(server.requests("POST /servers/:id/automod/rules/test").at(-1)?.body).toEqual({
    content: "see shop.evil.com now",
  });
  const marked = page.getByCss("mark");
  await expect.poll(() => marked.elements().map(({ textContent }) => textContent)).toEqual(["shop.evil.com"]);

  await chooseInRow(own("Scams"), "Edit Scams");
  await dialog.getByLabelText("When").selectOptions("Words");
  await dialog.getByLabelText("Words", { exact: true }).fill("scam");
  await dialog.getByRole("button", { name: "Save" }).click();
  await shown(own("Scams").getByText("Words · Block the message · Report to the moderators"));
  const changes = () => server.requests("PATCH /servers/:id/automod/rules/:rule").map(({ body }) => body);
  expect(changes().at(-1)).toMatchObject({
    trigger: { type: "words", words: ["scam"] },
    actions: [{ type: "block", message: "No such links here" }, { type: "flag" }],
  });

  await own("Scams").getByRole("button", { name: "Turn off" }).click();
  await shown(own("Scams").getByText("Off", { exact: true }));
  expect(changes().at(-1)).toEqual({ enabled: false });
  await chooseInRow(own("Scams"), "Delete rule");
  expect(server.requests("DELETE /servers/:id/automod/rules/:rule")).toEqual([]);
  await dialog.getByRole("button", { name: "Delete rule" }).click();
  await gone(own("Scams"));
  expect(server.requests("DELETE /servers/:id/automod/rules/:rule").map(({ path }) => path)).toEqual([
    expect.stringContaining(`/automod/rules/${rules[0]?.id}`),
  ]);
});
