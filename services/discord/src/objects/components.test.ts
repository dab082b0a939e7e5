import type { ComponentRows } from "@parley/contracts";
import { ButtonStyle, ComponentType } from "discord-api-types/v10";
import { expect, test } from "vitest";
import { fromComponents } from "./component-input.js";
import { toComponents } from "./components.js";

const button = (fields: object) => ({
  type: ComponentType.Button,
  style: ButtonStyle.Primary,
  custom_id: "go",
  ...fields,
});
/** The button as the bot that sent it reads it. */
function again(fields: object) {
  const { rows } = fromComponents([{ type: ComponentType.ActionRow, components: [button(fields)] }]);
  const [row] = toComponents(rows as unknown as ComponentRows);
  return row?.components[0];
}

test.each([
  { emoji: { name: "👍" }, label: "Agree" },
  { emoji: { name: "👩‍💻" } },
  { label: "Agree", disabled: true },
  { label: "7 days" },
])("a button is read as a bot has sent it: %j", (fields) => {
  const { emoji, label, ...others } = { emoji: undefined, label: undefined, ...fields };
  expect(again(fields)).toEqual(button({ id: 2, ...(emoji ? { emoji } : {}), ...(label ? { label } : {}), ...others }));
});
