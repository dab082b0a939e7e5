import type { AutomodConfig, AutomodWord, Webhook } from "@parley/client";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import type { FakeServer } from "../../page-stage/fake-server.js";
import { community, madeAt, newId, user } from "../../page-stage/fixtures.js";
import { shown } from "../../page-stage/seeing.js";
import { button, openSettings } from "../../page-stage/settings.js";
import { visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

// A list is read while its reader already changes it.

test("an entry that is added while a list is read is in the list", async () => {
  const ada = user("ada");
  const club = community([ada]);
  const { id } = club.server;
  const words: AutomodWord[] = [];
  let answer = { asked: Promise.resolve(), release: (): void => undefined };
  const prepare = (fresh: FakeServer) => {
    const config: AutomodConfig = {
      ...{ server_id: id, enabled: false, spam_enabled: false, spam_max_messages: 5, spam_window_secs: 5 },
      ...{ spam_action: "delete", duplicate_enabled: false, word_filter_enabled: false, word_filter_action: "delete" },
      ...{ timeout_minutes: 10, updated_at: madeAt },
    };
    fresh.on("GET /servers/:id/automod", () => config);
    fresh.on("GET /servers/:id/automod/rules", () => []);
    fresh.on("GET /servers/:id/automod/logs", () => []);
    answer = fresh.hold("GET /servers/:id/automod/words", () => [...words]);
    fresh.on<{ word: string }>("POST /servers/:id/automod/words", ({ body }) => {
      const added = { id: newId(), server_id: id, word: body.word, created_by: null, created_at: madeAt };
      words.push(added);
      return added;
    });
  };
  const stage = await visit(world(ada, [club]), { path: `/servers/${id}/settings/automod`, prepare });
  await answer.asked;
  const field = page.getByRole("textbox", { name: "Word" });
  await field.fill("Oxymoron");
  await button("Add").click();
  // The page has the answer.
  await expect.element(field).toHaveValue("");
  answer.release();
  await stage.settled();
  await shown(page.getByRole("button", { name: /^Remove oxymoron$/i }));
});

test("a webhook is turned on and off by what the server answers, also while the list is read again", async () => {
  const times = { last_used_at: null, created_at: madeAt, updated_at: madeAt };
  let bridge: Webhook | undefined;
  const turnOff = button("Turn off");
  const turnOn = button("Turn on");
  const stage = await openSettings("webhooks", (fresh, { server: { id } }) => {
    const made: Webhook = {
      ...{ id: newId(), server_id: id, created_by: null, name: "Bridge", url: "https://example.com/hook", ...times },
      ...{ event_types: ["message.created"], enabled: true, delivery_failures: 0 },
    };
    bridge = made;
    fresh.on("GET /servers/:id/webhooks", () => ({ webhooks: [bridge] }));
  });
  const { server, socket, club } = stage;
  server.on<Partial<Webhook>>("PATCH /servers/:id/webhooks/:webhook", ({ body }) => {
    if (bridge === undefined) throw new Error("There is no webhook.");
    bridge = { ...bridge, ...body };
    socket.event("SERVER_SETTINGS_UPDATE", { server_id: club.server.id, part: "webhooks" });
    return bridge;
  });
  await shown(turnOff);
  const answer = server.hold("GET /servers/:id/webhooks", () => ({ webhooks: [bridge] }));
  await turnOff.click();
  await answer.asked;
  await shown(turnOn);
  answer.release();
  await turnOn.click();
  await shown(turnOff);
});
