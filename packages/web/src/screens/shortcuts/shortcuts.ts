import type { App } from "../../state/app/app.js";
import type { Texts } from "../../texts/english/catalogue.js";
import { shortcutKey } from "../../ui/page/keys.js";
import type { useOpenDialog } from "../actions/open-dialog.js";
import { focusRegion } from "./regions.js";
import { nextPath, nextUnreadPath, openPlace } from "./steps.js";

/** The context of a shortcut. */
export interface ShortcutContext {
  app: App;
  path: string;
  navigate: (path: string) => void;
  dialogs: ReturnType<typeof useOpenDialog.getState>;
}

/** A key with its modifiers; `Mod` is Control, or Command on a Mac. */
type Chord = readonly [...modifiers: readonly ("Mod" | "Alt" | "Shift")[], key: string];

/** A shortcut of the page, for the listener as for the list of them. */
export interface Shortcut {
  chord: Chord;
  /** Its name in the texts, which are those of the language in use. */
  name: Exclude<keyof Texts["shell"]["shortcuts"], "title" | "typing" | "keys">;
  /** Where it works: while a dialog is open, too; in every field; in the composer, and outside of fields; or only there. */
  reach: "everywhere" | "fields" | "composer" | "outside";
  /** Absent where the part of the page that has the focus handles the key itself. @returns false when it had no effect */
  run?: (context: ShortcutContext) => boolean;
}

const go = (path: string | null, { navigate }: ShortcutContext): boolean => {
  if (path === null) return false;
  navigate(path);
  return true;
};

const toggle =
  (kind: "switcher" | "shortcuts" | "search") =>
  ({ dialogs }: ShortcutContext): boolean => {
    if (dialogs.dialog?.kind === kind) dialogs.close();
    else dialogs.open({ kind });
    return true;
  };

const step = (by: 1 | -1) => (context: ShortcutContext) =>
  go(nextPath(context.app.store.getState(), context.path, by), context);

const stepUnread = (by: 1 | -1) => (context: ShortcutContext) =>
  go(nextUnreadPath(context.app.store.getState(), context.path, by), context);

/** All shortcuts, in the order of the list. */
export const shortcuts: readonly Shortcut[] = [
  { chord: ["Mod", "K"], name: "switcher", reach: "everywhere", run: toggle("switcher") },
  // While the search is open, the browser's own takes the key.
  { chord: ["Mod", "F"], name: "search", reach: "fields", run: toggle("search") },
  { chord: ["/"], name: "searchHere", reach: "outside", run: toggle("search") },
  { chord: ["Mod", "/"], name: "list", reach: "everywhere", run: toggle("shortcuts") },
  { chord: ["Alt", "ArrowUp"], name: "previousChannel", reach: "composer", run: step(-1) },
  { chord: ["Alt", "ArrowDown"], name: "nextChannel", reach: "composer", run: step(1) },
  { chord: ["Alt", "Shift", "ArrowUp"], name: "previousUnread", reach: "composer", run: stepUnread(-1) },
  { chord: ["Alt", "Shift", "ArrowDown"], name: "nextUnread", reach: "composer", run: stepUnread(1) },
  {
    chord: ["Escape"],
    name: "readChannel",
    reach: "composer",
    run: ({ app, path }) => {
      const open = openPlace(path);
      if (open !== null) app.readState.markAllRead(open.place);
      return open !== null;
    },
  },
  {
    chord: ["Shift", "Escape"],
    name: "readServer",
    reach: "composer",
    run: ({ app, path }) => {
      const serverId = openPlace(path)?.serverId ?? null;
      if (serverId !== null) app.readState.markServerRead(serverId);
      return serverId !== null;
    },
  },
  { chord: ["F6"], name: "nextRegion", reach: "fields", run: () => focusRegion(1) },
  { chord: ["Shift", "F6"], name: "previousRegion", reach: "fields", run: () => focusRegion(-1) },
  { chord: ["Shift", "F10"], name: "menu", reach: "composer" },
  { chord: ["ArrowUp"], name: "editLast", reach: "composer" },
];

/** Whether a key press is that of a chord. */
export function isPressed(
  chord: Chord,
  event: Pick<KeyboardEvent, "key" | "code" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">,
): boolean {
  const key = chord.at(-1) ?? "";
  const has = (modifier: "Mod" | "Alt" | "Shift") => chord.slice(0, -1).includes(modifier);
  if (shortcutKey(event).toLowerCase() !== key.toLowerCase() || event.altKey !== has("Alt")) return false;
  if ((event.ctrlKey || event.metaKey) !== has("Mod")) return false;
  // Where / has no key of its own, it is typed with Shift.
  return key === "/" || event.shiftKey === has("Shift");
}
