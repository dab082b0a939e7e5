import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { act, composer, messageWith } from "../../page-stage/conversation.js";
import { channelPath, community, message, user } from "../../page-stage/fixtures.js";
import { shown } from "../../page-stage/seeing.js";
import { type Stage, visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

/** The Enter that ends a conversion: while it goes on, and as Safari sends it. */
const ways: readonly KeyboardEventInit[] = [{ isComposing: true }, { keyCode: 229 }];
const keys = ["Enter", "ArrowUp", "ArrowDown", "Escape", "Tab"];

/** Presses keys of an input method where the focus is, and returns those that something in the page has taken. */
function taken(): string[] {
  const heard: string[] = [];
  const hear = ({ key }: KeyboardEvent) => heard.push(key);
  // A key event reaches every listener of a field, or of the list around it, on its way to the document and back.
  for (const capture of [true, false]) document.addEventListener("keydown", hear, { capture });
  for (const key of keys) {
    for (const way of ways) {
      const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...way });
      if (document.activeElement?.dispatchEvent(event) === false) heard.push(`${key} is prevented`);
    }
  }
  for (const capture of [true, false]) document.removeEventListener("keydown", hear, { capture });
  return heard;
}

async function open(): Promise<Stage> {
  const ada = user("ada");
  const club = community([ada]);
  const [general] = club.channels;
  club.messages[general.id] = [message(general, ada, "Hello")];
  const stage = await visit(world(ada, [club]), { path: channelPath(general) });
  await shown(messageWith("Hello"));
  await stage.settled();
  return stage;
}

const sent = (stage: Stage) => stage.server.requests("POST /channels/:id/messages");

test("keys of an input method neither send, edit, choose nor close anything", async () => {
  const stage = await open();
  await composer().fill("日本");
  expect(taken()).toEqual([]);
  await expect.element(composer()).toHaveValue("日本");
  expect(sent(stage)).toEqual([]);
  await composer().fill("");
  expect(taken()).toEqual([]);

  await act("Hello", "Edit");
  const editor = page.getByRole("textbox", { name: "Edit message" });
  await editor.fill("Hello 日本");
  expect(taken()).toEqual([]);
  await expect.element(editor).toHaveValue("Hello 日本");
  await userEvent.keyboard("{Escape}");

  await userEvent.keyboard("{Control>}k{/Control}");
  const switcher = page.getByRole("dialog").getByRole("combobox");
  await switcher.fill("general");
  expect(taken()).toEqual([]);
  await shown(switcher);
  await userEvent.keyboard("{Escape}");
});
