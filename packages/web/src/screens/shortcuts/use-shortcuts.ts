import { useEffect } from "react";
import { useLocation } from "wouter";
import { useApp } from "../../state/app/use-app.js";
import { composerElement, isCovered } from "../actions/composer-element.js";
import { useOpenDialog } from "../actions/open-dialog.js";
import { isPressed, type Shortcut, shortcuts } from "./shortcuts.js";

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

/** Runs the shortcuts, and leads text that is typed without a field to the composer. */
export function useShortcuts(): void {
  const app = useApp();
  const [path, navigate] = useLocation();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // AltGr types characters.
      if (event.defaultPrevented || event.getModifierState("AltGraph")) return;
      const shortcut = shortcuts.find(({ chord, run }) => run !== undefined && isPressed(chord, event));
      if (shortcut === undefined) return typeAnywhere(event);
      if (!mayRun(shortcut, event)) return;
      if (shortcut.run?.({ app: app, path, navigate, dialogs: useOpenDialog.getState() }) === true)
        event.preventDefault();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [app, path, navigate]);
}

const fieldOf = ({ target }: Event): Element | null =>
  target instanceof Element ? target.closest("input, textarea, select, [contenteditable]") : null;

function mayRun({ reach, chord }: Shortcut, event: KeyboardEvent): boolean {
  if (reach === "everywhere") return true;
  if (isCovered()) return false;
  const field = fieldOf(event);
  if (reach === "fields" || field === null) return true;
  if (reach === "outside" || field !== composerElement()) return false;
  // On a Mac, Option and an arrow key move the caret in a text.
  return !(isMac && chord.includes("Alt") && composerElement()?.value !== "");
}

/** The field gets the focus before the browser delivers the character. */
function typeAnywhere(event: KeyboardEvent): void {
  if ([...event.key].length !== 1 || event.key === " ") return;
  if (event.ctrlKey || event.metaKey || event.altKey || fieldOf(event) !== null) return;
  if (!isCovered()) composerElement()?.focus();
}
