import type { Message } from "@parley/client";
import { useShallow } from "zustand/react/shallow";
import { useAppState } from "../../../../state/app/use-app.js";
import { ComponentRow } from "./component-row.js";
import { EmbedCard } from "./embed-card.js";
import { InteractionLine } from "./interaction-line.js";
import { usePress } from "./press.js";

/** The embeds and components of a message of an app. */
export function AppParts({ message }: { message: Message }) {
  const press = usePress();
  const { embeds = [], components = [] } = message;
  const asked = useAppState(
    useShallow(({ interactions }) =>
      interactions.filter(({ pressed, state }) => pressed?.messageId === message.id && state !== "waiting"),
    ),
  );
  return (
    <>
      {embeds.map((embed, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they have no names, and an edit replaces all of them.
        <EmbedCard key={at} embed={embed} />
      ))}
      {components.map((row, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: as above.
        <ComponentRow key={at} row={row} message={message} press={press} />
      ))}
      {asked.map((interaction) => (
        <InteractionLine key={interaction.key} interaction={interaction} />
      ))}
    </>
  );
}
