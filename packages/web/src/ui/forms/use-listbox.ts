import { useEffect, useId, useState } from "react";

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/**
 * The list that belongs to a text field, which keeps the focus: the marked entry, the keys that move the mark and pick, and the
 * attributes of the field, the list and its entries. A list without entries is closed.
 *
 * @param subject another one, for example the typed text, marks the first entry again
 * @param first the entry that is marked without a choice; -1 for none
 * @param onClose closes the list; without it the list stays, and Tab and Escape are of the field around it
 */
export function useListbox({
  count,
  subject,
  first = 0,
  onPick,
  onClose,
}: {
  count: number;
  subject: string;
  first?: number;
  onPick: (index: number) => void;
  onClose?: () => void;
}) {
  const id = useId();
  const [mark, setMark] = useState({ subject, index: first });
  // Entries that are read late may be fewer than those before.
  const marked = mark.subject === subject ? Math.min(mark.index, Math.max(first, count - 1)) : first;
  const optionId = (index: number) => `${id}-${index}`;
  const markedId = count > 0 && marked >= 0 ? optionId(marked) : undefined;
  const move = (index: number) => setMark({ subject, index });
  useEffect(() => {
    if (markedId !== undefined) document.getElementById(markedId)?.scrollIntoView({ block: "nearest" });
  }, [markedId]);
  return {
    marked,
    move,
    pick: onPick,
    field: {
      "aria-autocomplete": "list",
      "aria-controls": count > 0 ? id : undefined,
      "aria-activedescendant": markedId,
    },
    list: { id, hidden: count === 0 },
    option: (index: number) => ({ id: optionId(index), "aria-selected": index === marked }),
    /** @returns whether the key was for the list */
    onKey: (key: string): boolean => {
      const step = steps[key];
      if (count === 0) return false;
      if (step !== undefined) move((Math.max(marked, step === 1 ? marked : 0) + step + count) % count);
      else if (marked >= 0 && (key === "Enter" || (key === "Tab" && onClose !== undefined))) onPick(marked);
      else if (key === "Escape" && onClose !== undefined) onClose();
      else return false;
      return true;
    },
  } as const;
}

/** A list as its entries and its field need it. */
export type Listbox = ReturnType<typeof useListbox>;
