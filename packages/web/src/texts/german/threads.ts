import type { Texts } from "../english/catalogue.js";
import { counted } from "./counted.js";

/** Threads und ihre Liste. */
export const threads: Texts["threads"] = {
  title: "Threads",
  titleUnread: (count) => `Threads, ${counted(count, "ungelesener", "ungelesene")}`,
  show: "Welche Threads",
  shows: { active: "Aktiv", closed: "Geschlossen", followed: "Gefolgt" },
  serverWide: "Im ganzen Server",
  none: {
    active: "Noch keine Threads. Antworte in einem Thread, um einen zu beginnen.",
    closed: "Keine geschlossenen Threads.",
    followed: "Du folgst hier keinem Thread.",
  },
  more: "Ältere Threads",
  actions: "Aktionen für den Thread",
  rename: "Titel ändern",
  titleLabel: "Titel",
  titleHint: "Alle, die den Kanal sehen, sehen ihn. Leer lassen für keinen.",
  close: "Thread schließen",
  reopen: "Thread wieder öffnen",
  isClosed: "geschlossen",
  closed: "Dieser Thread ist geschlossen. Du kannst ihn lesen, aber nicht antworten.",
  closedForYou: "Dieser Thread ist geschlossen. Moderatoren können weiterhin antworten.",
};
