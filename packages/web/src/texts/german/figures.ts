import type { Texts } from "../english/catalogue.js";
import { counted } from "./counted.js";

/** Zahlen eines Servers. */
export const figures: Texts["figures"] = {
  title: "Zahlen",
  explanation: "Was hier Tag für Tag geschah. Bis zu eine Stunde alt; keine Zahl nennt ein Mitglied.",
  span: "Tage",
  plots: { members: "Mitglieder", coming: "Kommen und Gehen", activity: "Aktivität", messages: "Nachrichten" },
  measures: {
    members: "Mitglieder",
    joins: "Beigetreten",
    leaves: "Gegangen",
    active_members: "Aktiv",
    writers: "Schrieben",
    messages: "Nachrichten",
  },
  atMost: (count) => `bis zu ${count} am Tag`,
  table: "Alle Zahlen als Tabelle",
  day: "Tag",
  channels: "Kanäle",
  noChannels: "In diesen Tagen wurde nichts geschrieben.",
  unknownChannel: "gelöschter Kanal",
  messagesOf: (count) => counted(count, "Nachricht", "Nachrichten"),
  writersOf: (count) => `von ${counted(count, "Person", "Personen")}`,
  invites: "Einladungen",
  noInvites: "In diesen Tagen kam niemand mit einer Einladung.",
  joinsOf: (count) => `${counted(count, "Person", "Personen")} beigetreten`,
  stillOf: (count) => `${counted(count, "Person", "Personen")} geblieben`,
  file: "Für eine Tabellenkalkulation",
  fileHint: "Die Zahlen dieser Tage als CSV.",
  download: "Als CSV speichern",
  timeZone: "Zeitzone",
  timeZoneHint: "Tage beginnen um Mitternacht dieser Zone. Vergangene Tage behalten ihre.",
};
