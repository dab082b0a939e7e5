/** The newest message, also one that is being sent or that only the user sees. */
const newestRow = "[data-last=true] [data-row]";

/** The parts of the page that F6 leads through, in their order, each with its element for the focus. */
const regions = [
  { region: "[data-region=servers]", focus: "[aria-current], a, button" },
  { region: "[data-region=channels]", focus: "[aria-current], a, button" },
  { region: "[data-region=messages]", focus: newestRow },
  { region: "main", focus: "textarea[data-composer]" },
  { region: "[data-region=members]", focus: "button" },
] as const;

/** Moves the focus to the next or previous part that is there. @returns whether there was one */
export function focusRegion(step: 1 | -1): boolean {
  const stops = regions.flatMap(({ region, focus }) => {
    const part = document.querySelector(region);
    const target = part?.querySelector<HTMLElement>(focus);
    return part === null || target === null || target === undefined ? [] : [{ part, target }];
  });
  // The composer stands in the main part, with the messages and the members: the innermost part counts.
  const index = stops.findLastIndex(({ part, target }) =>
    part.matches("main") ? document.activeElement === target : part.contains(document.activeElement),
  );
  const next = stops[(index === -1 && step === -1 ? 0 : index) + step] ?? stops.at(step === 1 ? 0 : -1);
  next?.target.focus();
  return next !== undefined;
}

/** Moves the focus to the newest message, or to the composer while there is none. */
export function focusMessages(): void {
  const row = document.querySelector<HTMLElement>(`[data-region=messages] ${newestRow}`);
  (row ?? document.querySelector<HTMLElement>("textarea[data-composer]"))?.focus();
}
