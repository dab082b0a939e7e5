import { ButtonStyle, ComponentType } from "discord-api-types/v10";
import { z } from "zod";
import { unsupported } from "../rest/errors.js";

export const emojiInput = z
  .object({ id: z.union([z.string(), z.number()]).nullish(), name: z.string().nullish() })
  .nullish();

const media = z.object({ url: z.string() });
const known = z.looseObject({
  type: z.int(),
  content: z.string().nullish(),
  options: z
    .array(z.object({ label: z.unknown(), value: z.unknown(), description: z.string().nullish() }))
    .max(25)
    .nullish(),
  items: z.array(z.object({ media })).max(10).nullish(),
  media: media.nullish(),
  accent_color: z.int().min(0).max(0xffffff).nullish(),
});
/** A component as bots send it: the keys of all kinds, which the api and {@link fromComponents} judge. */
export interface ComponentInput extends z.output<typeof known> {
  readonly components?: readonly ComponentInput[] | null | undefined;
  readonly accessory?: ComponentInput | null | undefined;
}
export const componentInput: z.ZodType<ComponentInput> = z.lazy(() =>
  known.extend({ components: z.array(componentInput).max(40).nullish(), accessory: componentInput.nullish() }),
);

const styles: Record<number, string> = {
  [ButtonStyle.Primary]: "primary",
  [ButtonStyle.Secondary]: "secondary",
  [ButtonStyle.Success]: "success",
  [ButtonStyle.Danger]: "danger",
  [ButtonStyle.Link]: "link",
};
const kinds: Record<number, string> = {
  [ComponentType.StringSelect]: "text",
  [ComponentType.UserSelect]: "user",
  [ComponentType.RoleSelect]: "role",
  [ComponentType.MentionableSelect]: "user",
  [ComponentType.ChannelSelect]: "channel",
};

type Path = readonly (string | number)[];

/** Rows, and the texts and embeds that newer components contain beside them (docs/discord.md#rest). */
export interface ReadComponents {
  readonly rows: object[][];
  readonly texts: string[];
  readonly embeds: Record<string, unknown>[];
}

/** Rows of ours, texts and embeds for the components of a bot. @throws DiscordError 50035 for a kind that is not served */
export function fromComponents(components: readonly ComponentInput[], path: Path = ["components"]): ReadComponents {
  const read: ReadComponents = { rows: [], texts: [], embeds: [] };
  for (const [index, component] of components.entries()) readTopLevel(component, [...path, index], read);
  return read;
}

function readTopLevel(component: ComponentInput, path: Path, read: ReadComponents): void {
  switch (component.type) {
    case ComponentType.ActionRow:
      read.rows.push((component.components ?? []).map((inner, at) => rowComponent(inner, [...path, "components", at])));
      return;
    case ComponentType.TextDisplay:
      read.texts.push(component.content ?? "");
      return;
    case ComponentType.Section:
      readSection(component, path, read);
      return;
    case ComponentType.MediaGallery:
      for (const item of component.items ?? []) read.embeds.push({ image: item.media });
      return;
    case ComponentType.Container:
      readContainer(component, path, read);
      return;
    case ComponentType.Separator:
    case ComponentType.File:
      return;
    default:
      throw unsupported([...path, "type"], `The component ${component.type}`);
  }
}

function readSection(section: ComponentInput, path: Path, read: ReadComponents): void {
  for (const text of section.components ?? []) read.texts.push(text.content ?? "");
  const { accessory } = section;
  if (accessory?.type === ComponentType.Button) read.rows.push([rowComponent(accessory, [...path, "accessory"])]);
  else if (accessory?.type === ComponentType.Thumbnail) read.embeds.push({ thumbnail: accessory.media });
}

/** A container is an embed of its texts, with its colour and its pictures. */
function readContainer(container: ComponentInput, path: Path, read: ReadComponents): void {
  const { rows, texts, embeds } = fromComponents(container.components ?? [], [...path, "components"]);
  const [first = {}, ...others] = embeds;
  const color = { color: container.accent_color };
  const description = texts.join("\n");
  if (description !== "" || embeds.length > 0) read.embeds.push({ ...first, ...color, description }, ...others);
  read.rows.push(...rows);
}

function rowComponent(component: ComponentInput, path: Path): object {
  if (component.type === ComponentType.Button) return fromButton(component, path);
  const kind = kinds[component.type];
  if (kind === undefined) throw unsupported([...path, "type"], `The component ${component.type} in a row`);
  const { custom_id, options, min_values, max_values, placeholder } = component;
  return {
    type: "select",
    kind,
    custom_id,
    ...(kind === "text"
      ? {
          options: (options ?? []).map(({ description, ...option }) => ({
            ...option,
            description: description || null,
          })),
        }
      : {}),
    min_values,
    max_values,
    placeholder: placeholder || null,
  };
}

function fromButton({ style, label, custom_id, url, disabled, ...others }: ComponentInput, path: Path): object {
  const known = styles[Number(style)];
  if (known === undefined) throw unsupported([...path, "style"], `The style ${String(style)}`);
  const picture = emojiInput.safeParse(others.emoji).data;
  const shown = withEmoji(picture, typeof label === "string" ? label : "");
  return { type: "button", style: known, label: shown, custom_id, url, disabled };
}

/** Texts here have no emoji of their own: it stands before the text. */
export function withEmoji(emoji: z.output<typeof emojiInput>, text: string | null | undefined): string {
  const sign = emoji?.name ? (emoji.id ? `:${emoji.name}:` : emoji.name) : "";
  return [sign, text ?? ""].filter((part) => part !== "").join(" ");
}
