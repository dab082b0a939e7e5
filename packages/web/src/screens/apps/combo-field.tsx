import { type KeyboardEvent, useEffect, useState } from "react";
import { TextField } from "../../ui/forms/field.js";
import { useListbox } from "../../ui/forms/use-listbox.js";
import { type ShownSuggestion, SuggestionList } from "../suggestions/suggestion-list.js";

/** A value that the field offers for a typed text. */
export interface Offer extends Omit<ShownSuggestion, "key"> {
  value: string;
}

/** A pause in typing after which offers are read. */
const restMs = 200;

/** A field with a choice of values for the typed text. */
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
  /** Name of the value in the form; without it only `onPick` gets the value. */
  name?: string;
  required: boolean;
  /** Whether the typed text may be the value itself. */
  isFree: boolean;
  /** Whether the field is empty again after a choice, because several are made. */
  isEmptied?: boolean;
  find: (text: string) => Promise<readonly Offer[]>;
  onPick?: (offer: Offer) => void;
}) {
  const [text, setText] = useState("");
  const [value, setValue] = useState("");
  const [isOpen, setOpen] = useState(false);
  const { offers, of } = useOffers(isOpen ? text : null, find);
  const shown = isOpen ? offers : [];
  const isFormer = of !== text;
  const change = (next: string) => {
    setText(next);
    setValue(isFree ? next : "");
    setOpen(true);
  };
  const pick = (index: number) => {
    const offer = shown[index];
    if (offer === undefined || isFormer) return;
    setText(isEmptied ? "" : offer.label);
    setValue(offer.value);
    setOpen(false);
    onPick?.(offer);
  };
  const listbox = useListbox({ count: shown.length, subject: text, onPick: pick, onClose: () => setOpen(false) });
  const onKeyDown = (event: KeyboardEvent) => {
    // After Tab the focus goes on to the next field.
    if (listbox.onKey(event.key) && event.key !== "Tab") event.preventDefault();
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
        {...listbox.field}
        autoComplete="off"
        value={text}
        onChange={({ currentTarget }) => change(currentTarget.value)}
        onFocus={() => setOpen(value === "")}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
      />
      {name === undefined ? null : <input type="hidden" name={name} value={value} />}
      <SuggestionList
        listbox={listbox}
        isInPlace
        isBusy={isFormer}
        suggestions={shown.map(({ value: key, ...offer }) => ({ key, ...offer }))}
      />
    </>
  );
}

/** What was found for a text. */
interface Found {
  offers: readonly Offer[];
  of: string | null;
}
const nothing: Found = { offers: [], of: null };

/** The offers for a text, after a pause in typing; the former offers stay until then, and nobody may pick one. */
function useOffers(text: string | null, find: (text: string) => Promise<readonly Offer[]>): Found {
  const [found, setFound] = useState(nothing);
  useEffect(() => {
    if (text === null) return setFound(nothing);
    let isWanted = true;
    const read = async () => {
      const offers = await find(text).catch(() => []);
      if (isWanted) setFound({ offers, of: text });
    };
    const timer = setTimeout(() => void read(), restMs);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [text, find]);
  return found;
}
