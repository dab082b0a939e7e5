import type { ComponentRows } from "@parley/contracts";
import {
  type APIActionRowComponent,
  type APIComponentInMessageActionRow,
  ButtonStyle,
  ComponentType,
} from "discord-api-types/v10";

const styles = {
  primary: ButtonStyle.Primary,
  secondary: ButtonStyle.Secondary,
  success: ButtonStyle.Success,
  danger: ButtonStyle.Danger,
} as const;

export const selectTypes = {
  user: ComponentType.UserSelect,
  role: ComponentType.RoleSelect,
  channel: ComponentType.ChannelSelect,
} as const;

type Component = ComponentRows[number][number];

/** Discord's rows of buttons and selects. Identifiers count from 1, as Discord's do. */
export function toComponents(rows: ComponentRows): APIActionRowComponent<APIComponentInMessageActionRow>[] {
  let last = 0;
  return rows.map((row) => ({
    type: ComponentType.ActionRow,
    id: ++last,
    components: row.map((component) => toComponent(component, ++last)),
  }));
}

const leadingEmoji = /^(\p{RGI_Emoji})(?: |$)/v;

/** Buttons have no emoji of their own here: one that begins the label is the button's at Discord. */
function toLabel(label: string): { label?: string; emoji?: { name: string } } {
  const [whole, name] = leadingEmoji.exec(label) ?? [];
  if (whole === undefined || name === undefined) return { label };
  const rest = label.slice(whole.length);
  return { emoji: { name }, ...(rest === "" ? {} : { label: rest }) };
}

function toComponent(component: Component, id: number): APIComponentInMessageActionRow {
  if (component.type === "button") {
    const { style, label, disabled, custom_id, url } = component;
    const common = { type: ComponentType.Button, id, ...toLabel(label), ...(disabled ? { disabled } : {}) } as const;
    if (style === "link") return { ...common, style: ButtonStyle.Link, url: url ?? "" };
    return { ...common, style: styles[style], custom_id: custom_id ?? "" };
  }
  const { kind, custom_id, options, min_values, max_values, placeholder } = component;
  const common = { id, custom_id, min_values, max_values, ...(placeholder === null ? {} : { placeholder }) };
  if (kind !== "text") return { ...common, type: selectTypes[kind] };
  return {
    ...common,
    type: ComponentType.StringSelect,
    options: (options ?? []).map(({ label, value, description }) => ({
      label,
      value,
      ...(description === null ? {} : { description }),
    })),
  };
}
