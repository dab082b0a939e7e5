import { type KeyboardEvent, useEffect, useId, useState } from "react";
import { TextField } from "../../ui/field.js";
import { type ShownSuggestion, SuggestionList, suggestionId } from "../suggestions/suggestion-list.js";

/** A value that is offered for what was typed. */
export interface Offer extends Omit<ShownSuggestion, "key"> {
  value: string;
}

/** A pause in typing after which offers are read. */
const restMs = 200;

/** A field whose value is chosen among those that are offered for what is typed. */
export function ComboField({
  label,
  hint,
  error,
  name,
  required,
  isFree,
  isEmptied = false,
  find,
  onPick,
}: {
  label: string;
  hint?: string;
  error?: string | undefined;
  /** Of the value in the form; without one it is told to `onPick` only. */
  name?: string;
  required: boolean;
  /** Whether what is typed may be the value itself. */
  isFree: boolean;
  /** Whether the field is empty again after a choice, because several are made. */
  isEmptied?: boolean;
  find: (text: string) => Promise<readonly Offer[]>;
  onPick?: (offer: Offer) => void;
}) {
  const listId = useId();
  const [text, setText] = useState("");
  const [value, setValue] = useState("");
  const [isOpen, setOpen] = useState(false);
  const [selected, setSelected] = useState(0);
  const offers = useOffers(isOpen ? text : null, find);
  const shown = isOpen ? offers : [];
  const change = (next: string) => {
    setText(next);
    setValue(isFree ? next : "");
    setSelected(0);
    setOpen(true);
  };
  const pick = (index: number) => {
    const offer = shown[index];
    if (offer === undefined) return;
    setText(isEmptied ? "" : offer.label);
    setValue(offer.value);
    setOpen(false);
    onPick?.(offer);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (shown.length === 0) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setSelected((selected + step + shown.length) % shown.length);
    else if (event.key === "Enter" || event.key === "Tab") pick(selected);
    else if (event.key === "Escape") setOpen(false);
    else return;
    // The focus goes on to the next field.
    if (event.key !== "Tab") event.preventDefault();
  };
  return (
    <>
      <TextField
        label={label}
        hint={hint}
        error={error ?? null}
        required={required}
        role="combobox"
        aria-expanded={shown.length > 0}
        aria-controls={shown.length > 0 ? listId : undefined}
        aria-autocomplete="list"
        aria-activedescendant={shown.length > 0 ? suggestionId(listId, selected) : undefined}
        autoComplete="off"
        value={text}
        onChange={({ currentTarget }) => change(currentTarget.value)}
        onFocus={() => setOpen(value === "")}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
      />
      {name === undefined ? null : <input type="hidden" name={name} value={value} />}
      <SuggestionList
        id={listId}
        isInPlace
        suggestions={shown.map(({ value: key, ...offer }) => ({ key, ...offer }))}
        selected={selected}
        onPick={pick}
      />
    </>
  );
}

/** What is offered for a text, after a pause in typing; the former offers stay until then. */
function useOffers(text: string | null, find: (text: string) => Promise<readonly Offer[]>): readonly Offer[] {
  const [offers, setOffers] = useState<readonly Offer[]>([]);
  useEffect(() => {
    if (text === null) return setOffers([]);
    let isWanted = true;
    const read = async () => {
      const found = await find(text).catch(() => []);
      if (isWanted) setOffers(found);
    };
    const timer = setTimeout(() => void read(), restMs);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [text, find]);
  return offers;
}
