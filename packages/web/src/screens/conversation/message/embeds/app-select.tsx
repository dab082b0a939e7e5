import type { Channel, SelectComponent } from "@parley/client";
import { ChevronDown } from "lucide-react";
import { useState } from "react";
import { useShallow } from "zustand/react/shallow";
import { visibleChannels } from "../../../../state/access/permissions.js";
import { useAppState } from "../../../../state/app/use-app.js";
import { formats, texts } from "../../../../texts/texts.js";
import { ErrorNote } from "../../../../ui/data/async-content.js";
import { useAction } from "../../../../ui/data/use-action.js";
import { Menu } from "../../../../ui/overlays/menu.js";
import { useConversation } from "../../context.js";
import styles from "./component-row.module.css";
import type { ChoosingProps, PressProps } from "./press.js";
import { UserSelect } from "./user-select.js";

/** Something that can be chosen. */
interface Entry {
  value: string;
  label: string;
}

/** A select of a bot: one choice is sent when it is made, several together. */
export function AppSelect({ select, message, press }: PressProps & { select: SelectComponent }) {
  const { serverId } = useConversation();
  const choosing = useAction(async (values: readonly string[]) => press?.(message, select, values));
  const name = select.placeholder ?? texts.apps.choose[select.kind];
  const entries = useEntries(select, serverId);
  const isOff = press === null;
  const props = { select, name, choosing };
  return (
    <div>
      {select.kind === "user" && serverId !== null && !isOff ? (
        <UserSelect {...props} serverId={serverId} />
      ) : select.max_values > 1 && !isOff ? (
        <ManySelect {...props} entries={entries} />
      ) : (
        <OneSelect {...props} entries={entries} isOff={isOff} />
      )}
      <ErrorNote error={choosing.error} />
    </div>
  );
}

const noChannels: readonly Channel[] = [];

function useEntries({ kind, options }: SelectComponent, serverId: string | null): readonly Entry[] {
  const roles = useAppState((state) => (serverId === null ? undefined : state.roles[serverId]));
  const channels = useAppState(
    useShallow((state) => (serverId === null ? noChannels : (visibleChannels(state, serverId) ?? noChannels))),
  );
  switch (kind) {
    case "role":
      return (roles ?? []).map(({ id, name }) => ({ value: id, label: name }));
    case "channel":
      return channels.map(({ id, name }) => ({ value: id, label: `#${name}` }));
    default:
      return (options ?? []).map(({ value, label, description }) => ({
        value,
        label: description === null ? label : `${label} – ${description}`,
      }));
  }
}

function OneSelect({
  select: { min_values: min },
  name,
  choosing,
  entries,
  isOff,
}: ChoosingProps & { entries: readonly Entry[]; isOff: boolean }) {
  return (
    <select
      className={styles.select}
      aria-label={name}
      disabled={isOff}
      defaultValue=""
      onChange={({ currentTarget: { value } }) => {
        if (value !== "") void choosing.run([value]);
        else if (min === 0) void choosing.run([]);
      }}
    >
      <option value="">{name}</option>
      {entries.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}

/** Sends the ticked values when the menu is closed, if they have changed. */
function ManySelect({
  select: { min_values: min, max_values: max },
  name,
  choosing,
  entries,
}: ChoosingProps & { entries: readonly Entry[] }) {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [sent, setSent] = useState(chosen);
  const [isUnfit, setUnfit] = useState(false);
  const close = () => {
    if (chosen === sent) return;
    const isFitting = chosen.length >= min && chosen.length <= max;
    setUnfit(!isFitting);
    if (!isFitting) return;
    setSent(chosen);
    void choosing.run(chosen);
  };
  const labels = entries.filter(({ value }) => chosen.includes(value)).map(({ label }) => label);
  return (
    <>
      <Menu
        trigger={
          <button type="button" className={styles.select}>
            <bdi>{labels.length === 0 ? name : `${name}: ${formats.list(labels)}`}</bdi>{" "}
            <ChevronDown size={15} aria-hidden />
          </button>
        }
        items={entries.map(({ value, label }) => ({
          label,
          isOn: chosen.includes(value),
          onSelect: () =>
            setChosen(chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value]),
        }))}
        onClose={close}
      />
      <ErrorNote error={isUnfit ? texts.apps.between(min, Math.min(max, entries.length)) : null} />
    </>
  );
}
