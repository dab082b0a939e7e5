import type { InteractionState } from "@parley/client";
import { describe, expect, test } from "vitest";
import { applied, begun, message } from "../app/sample-state.js";
import { type AppState, emptyState, type Interaction } from "../store/app-state.js";
import { onInteraction, withInteraction, withoutEphemeral } from "./interaction-events.js";

const asked = {
  key: "key",
  channelId: "channel",
  botUserId: "bot",
  name: "/play",
  pressed: null,
  body: { bot_user_id: "bot", command_id: "play" },
};
const waiting: Interaction = { ...asked, id: "i", state: "waiting", error: null };
const before = withInteraction(emptyState, waiting);
const update = (state: InteractionState["state"], changes: Partial<InteractionState> = {}) => ({
  id: "i",
  state,
  message: null,
  modal: null,
  choices: null,
  ...changes,
});
const after = (state: AppState, ...updates: InteractionState[]) =>
  updates.reduce((next, one) => onInteraction(next, asked, one), state);
const ephemeral = (number: number, content: string) => ({ ...message(number, { content }), ephemeral: true as const });
const modal = { modal_id: "m", title: "Report", fields: [] };

describe("an interaction of this page", () => {
  test("is deferred, then answered", () => {
    expect(after(before, update("deferred")).interactions).toEqual([{ ...waiting, state: "deferred" }]);
    expect(after(before, update("deferred"), update("answered")).interactions).toEqual([]);
  });

  test("fails, also after it was deferred", () => {
    expect(after(before, update("deferred"), update("failed")).interactions).toEqual([{ ...waiting, state: "failed" }]);
  });

  test("keeps the state of the second attempt when the first one is reported as failed again", () => {
    const again = withInteraction(before, { ...waiting, id: "second" });
    expect(after(again, update("failed"))).toBe(again);
  });
});

test("an answer for the user alone is shown once, also when it comes again, changed in its place, and gone once taken back", () => {
  const first = ephemeral(1, "Your move");
  const told = update("answered", { message: first });
  const state = after(before, told, told, update("answered", { message: ephemeral(2, "Later") }));
  expect(state.ephemeral.channel?.map(({ content }) => content)).toEqual(["Your move", "Later"]);
  const changed = after(state, update("answered", { message: ephemeral(1, "Your turn") }));
  expect(changed.ephemeral.channel?.map(({ content }) => content)).toEqual(["Your turn", "Later"]);
  expect(withoutEphemeral(changed, first).ephemeral.channel).toHaveLength(1);
  const gone = after(changed, update("answered", { message: { ...ephemeral(1, ""), deleted: true } }));
  expect(gone.ephemeral.channel?.map(({ content }) => content)).toEqual(["Later"]);
});

test("an answer for everybody comes with its own event", () => {
  expect(after(before, update("answered", { message: message(1) })).ephemeral).toEqual({});
});

test("a form is opened once", () => {
  const told = update("answered", { modal });
  const state = after(before, told);
  expect(state.modals).toMatchObject([{ interactionId: "i", modal }]);
  expect(after({ ...state, modals: [] }, told).modals).toEqual([]);
});

test("commands are read again when those of the server have changed, and when rights have", () => {
  const read = { ...begun, commands: { channel: [], elsewhere: [] } };
  expect(applied(read, "COMMANDS_UPDATE", { server_id: "server", bot_user_id: "bot" }).commands).toEqual({
    elsewhere: [],
  });
  const role = { server_id: "server", user_id: "me", role_id: "r", role_name: "Mod", role_color: "#000000" };
  expect(Object.keys(applied(read, "MEMBER_ROLE_ADD", role).commands)).toEqual(["elsewhere"]);
});
