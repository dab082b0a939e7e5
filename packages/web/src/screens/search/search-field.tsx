import { X } from "lucide-react";
import type { KeyboardEvent, RefObject } from "react";
import { texts } from "../../texts/texts.js";
import type { Listbox } from "../../ui/forms/use-listbox.js";
import { chipLabel } from "./completions.js";
import { pendingFilter, type SearchChip, type SearchQuery } from "./query.js";
import styles from "./search-field.module.css";

const lengthMax = 900;

/** The field of the search: its filters as chips, and words. */
export function SearchField({
  query,
  invalid,
  listbox,
  field,
  onChange,
  onSubmit,
}: {
  query: SearchQuery;
  /** The filter that names nobody and nothing. */
  invalid: { filter?: string; value?: string };
  listbox: Listbox;
  field: RefObject<HTMLInputElement | null>;
  onChange: (query: SearchQuery) => void;
  onSubmit: () => void;
}) {
  const labels = texts.search;
  const { chips, text } = query;
  const remove = (chip: SearchChip) => {
    onChange({ chips: chips.filter((each) => each !== chip), text });
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const last = chips.at(-1);
    const isAtStart = event.currentTarget.selectionStart === 0 && event.currentTarget.selectionEnd === 0;
    if (event.key === "Backspace" && isAtStart && last !== undefined) remove(last);
    else if (!listbox.onKey(event.key)) {
      if (event.key !== "Enter") return;
      onSubmit();
    }
    event.preventDefault();
  };
  return (
    <div className={styles.box}>
      {chips.map((chip) => (
        <button
          key={JSON.stringify(chip)}
          type="button"
          className={styles.chip}
          data-invalid={invalid.filter === chip.name && invalid.value === chip.value}
          aria-label={labels.remove(chipLabel(chip))}
          onClick={() => remove(chip)}
        >
          <bdi>{chipLabel(chip)}</bdi>
          <X size={14} aria-hidden />
        </button>
      ))}
      <input
        ref={field}
        className={styles.input}
        type="search"
        role="combobox"
        aria-label={labels.query}
        aria-expanded={listbox.field["aria-controls"] !== undefined}
        {...listbox.field}
        placeholder={chips.length === 0 ? labels.hint : ""}
        dir="auto"
        enterKeyHint="search"
        autoComplete="off"
        maxLength={lengthMax}
        value={text}
        onKeyDown={onKeyDown}
        onChange={({ currentTarget }) => onChange({ chips, text: currentTarget.value })}
      />
    </div>
  );
}

/** Buttons that begin a filter, for those who do not know the words. */
export function FilterButtons({
  query: { chips, text },
  onChange,
}: {
  query: SearchQuery;
  onChange: (query: SearchQuery) => void;
}) {
  const labels = texts.search;
  const begin = (name: SearchChip["name"]) => {
    const words = text.slice(0, pendingFilter(text)?.start ?? text.length).trimEnd();
    onChange({ chips, text: `${words}${words === "" ? "" : " "}${name}:` });
  };
  return (
    <fieldset className={styles.filters}>
      <legend className="visually-hidden">{labels.filter}</legend>
      {filterOrder.map((name) => (
        <button key={name} type="button" className={styles.filter} onClick={() => begin(name)}>
          {labels.filters[name]}
        </button>
      ))}
    </fieldset>
  );
}

/** The ones that are used most first: a telephone shows some. */
const filterOrder = ["from", "in", "has", "before", "after", "on", "server", "mentions", "is"] as const;
