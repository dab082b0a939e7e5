import { useEffect, useRef } from "react";
import { shortcutKey } from "../../ui/page/keys.js";

/** The keys and their actions, in the order of the list of keys. */
export const reportKeys = {
  next: ["J", "↓"],
  previous: ["K", "↑"],
  jump: ["Enter"],
  close: ["C"],
  history: ["H"],
  remove: ["D"],
  timeout: ["T"],
  ban: ["B"],
} as const;
export type ReportKey = keyof typeof reportKeys;

const names: Readonly<Record<string, ReportKey>> = {
  ...{ j: "next", ArrowDown: "next", k: "previous", ArrowUp: "previous", Enter: "jump" },
  ...{ c: "close", h: "history", d: "remove", t: "timeout", b: "ban" },
};

/** Calls `act` for the keys of the list, unless somebody types, or a dialog, menu or button has the key. */
export function useReportKeys(act: (key: ReportKey) => void): void {
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { target } = event;
      const key = shortcutKey(event);
      const name = Object.hasOwn(names, key) ? names[key] : undefined;
      if (name === undefined || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (document.querySelector("[role=dialog], [role=menu]") !== null) return;
      if (target instanceof Element && target.closest("input, textarea, select") !== null) return;
      if (name === "jump" && target instanceof Element && target.closest("button, a") !== null) return;
      event.preventDefault();
      latest.current(name);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}
