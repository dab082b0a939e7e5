import type { InteractionReply } from "./interaction.js";

/** A row of components as it is sent. */
export type ComponentRow = NonNullable<InteractionReply["components"]>[number];
/** A button or select as it is sent. */
export type AnyComponent = ComponentRow[number];
/** An embed as it is sent. */
export type EmbedBody = NonNullable<InteractionReply["embeds"]>[number];

const rowComponentsMax = 5;

/** A button whose presses the bot gets by {@link BotProgram.button} with a beginning of `id`, or by a collector. */
export const button = (
  label: string,
  id: string,
  style: "primary" | "secondary" | "success" | "danger" = "primary",
): AnyComponent => ({ type: "button", style, label, custom_id: id });

/** A button that opens an address. */
export const linkButton = (label: string, url: string): AnyComponent => ({ type: "button", style: "link", label, url });

/** How many values may be selected, one by default, and the text before a selection. */
export interface SelectOptions {
  /** Least, 0 to 25. */
  readonly min?: number;
  /** Most, 1 to 25. */
  readonly max?: number;
  /** The text while nothing is selected. */
  readonly placeholder?: string;
}

const bounds = ({ min, max, placeholder }: SelectOptions) => ({
  ...(min === undefined ? {} : { min_values: min }),
  ...(max === undefined ? {} : { max_values: max }),
  ...(placeholder === undefined ? {} : { placeholder }),
});

/** An option of a text select: a value that is shown as it is, or one with a label. */
export type SelectChoice =
  | string
  | {
      /** The text for users. */
      readonly label: string;
      /** The value for the bot. */
      readonly value: string;
      /** A smaller line below. */
      readonly description?: string;
    };

/** A select of texts, at most 25. */
export const select = (id: string, choices: readonly SelectChoice[], options: SelectOptions = {}): AnyComponent => ({
  type: "select",
  kind: "text",
  custom_id: id,
  options: choices.map((choice) => (typeof choice === "string" ? { label: choice, value: choice } : choice)),
  ...bounds(options),
});

/** A select of users, roles or channels of the server; the bot gets their ids. */
export const selectFrom = (
  kind: "user" | "role" | "channel",
  id: string,
  options: SelectOptions = {},
): AnyComponent => ({
  type: "select",
  kind,
  custom_id: id,
  ...bounds(options),
});

/** Components in rows: five buttons in each, and a select in one of its own. */
export function rows(...components: readonly AnyComponent[]): ComponentRow[] {
  const filled: ComponentRow[] = [];
  for (const component of components) {
    const last = filled.at(-1);
    const hasRoom = last !== undefined && last.length < rowComponentsMax && last[0]?.type === "button";
    if (hasRoom && component.type === "button") last.push(component);
    else filled.push([component]);
  }
  return filled;
}

/** The parts of an embed. */
export interface EmbedParts extends Pick<EmbedBody, "title" | "description" | "url" | "timestamp"> {
  /** `#rrggbb`, or a number. */
  readonly color?: string | number;
  /** Names of the fields with their values; those of `inline` stand side by side. */
  readonly fields?: Readonly<Record<string, string | number>>;
  /** Fields that stand side by side. */
  readonly inline?: Readonly<Record<string, string | number>>;
  /** Name above the title. */
  readonly author?: string;
  /** Small text at the end. */
  readonly footer?: string;
  /** Address of a large picture. */
  readonly image?: string;
  /** Address of a small picture. */
  readonly thumbnail?: string;
}

/** An embed of texts and addresses. */
export function embed({ fields = {}, inline = {}, author, footer, image, thumbnail, ...texts }: EmbedParts): EmbedBody {
  const listed = (given: Readonly<Record<string, string | number>>, isInline: boolean) =>
    Object.entries(given).map(([name, value]) => ({ name, value: String(value), inline: isInline }));
  return {
    ...texts,
    ...(author === undefined ? {} : { author: { name: author } }),
    ...(footer === undefined ? {} : { footer: { text: footer } }),
    ...(image === undefined ? {} : { image: { url: image } }),
    ...(thumbnail === undefined ? {} : { thumbnail: { url: thumbnail } }),
    fields: [...listed(fields, false), ...listed(inline, true)],
  };
}
