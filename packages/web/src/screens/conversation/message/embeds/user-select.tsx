import { X } from "lucide-react";
import { useState } from "react";
import { texts } from "../../../../texts/texts.js";
import { Button, IconButton } from "../../../../ui/look/button.js";
import { ComboField, type Offer } from "../../../apps/combo-field.js";
import { useFindMembers } from "../../../apps/option-field.js";
import styles from "./component-row.module.css";
import type { ChoosingProps } from "./press.js";

/** Chooses members of the server by their names; several are sent together. */
export function UserSelect({
  select: { min_values: min, max_values: max },
  name,
  choosing,
  serverId,
}: ChoosingProps & { serverId: string }) {
  const find = useFindMembers(serverId);
  const [chosen, setChosen] = useState<readonly Offer[]>([]);
  const pick = (offer: Offer) => {
    if (max === 1) void choosing.run([offer.value]);
    else if (!chosen.some(({ value }) => value === offer.value)) setChosen([...chosen, offer]);
  };
  const field = (
    <ComboField label={name} required={min > 0} isFree={false} isEmptied={max > 1} find={find} onPick={pick} />
  );
  if (max === 1) return field;
  const isFitting = chosen.length >= min && chosen.length <= max;
  return (
    <>
      {field}
      <ul className={styles.chosen}>
        {chosen.map(({ value, label }) => (
          <li key={value}>
            <bdi>{label}</bdi>
            <IconButton
              label={texts.apps.removeChosen(label)}
              onClick={() => setChosen(chosen.filter((one) => one.value !== value))}
            >
              <X size={15} aria-hidden />
            </IconButton>
          </li>
        ))}
      </ul>
      <p className={styles.hint}>{texts.apps.between(min, max)}</p>
      <Button
        kind="quiet"
        disabled={!isFitting || choosing.isBusy}
        onClick={() => choosing.run(chosen.map(({ value }) => value))}
      >
        {texts.apps.send}
      </Button>
    </>
  );
}
