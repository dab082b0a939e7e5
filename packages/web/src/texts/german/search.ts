import type { Texts } from "../english/catalogue.js";
import { counted } from "./counted.js";

/** Texts of the search and the quick switcher. */
export const search: Texts["search"] = {
  title: "Suche",
  query: "Suchen nach",
  channel: "Kanal",
  everywhere: "Alle Kanäle",
  found: (total) => counted(total, "Nachricht", "Nachrichten"),
  none: "Keine Nachricht passt. Versuche es mit weniger oder anderen Wörtern.",
  hint: "Mindestens zwei Zeichen. Findet Nachrichten, in denen alle Wörter vorkommen.",
  more: "Mehr Treffer",
  author: "Gelöschtes Konto",
  in: (channel, time) => `#${channel} · ${time}`,
  switcher: "Wechseln zu",
  switcherHint: "Kanal, Server oder Person suchen",
  switcherNone: "Nichts mit diesem Namen.",
  notification: (author, channel) => `${author} in #${channel}`,
};
