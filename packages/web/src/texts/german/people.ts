import type { Texts } from "../english/catalogue.js";
import { counted } from "./counted.js";

/** Freunde, Anfragen und Blockierte. */
export const people: Texts["people"] = {
  title: "Freunde",
  explanation: "Auch im Profil eines Menschen kannst du ihn um Freundschaft bitten oder blockieren.",
  add: "Freund nach Namen hinzufügen",
  addHint: "Leute aus deinen Servern und Unterhaltungen.",
  requests: (count) => counted(count, "Anfrage", "Anfragen"),
  incoming: "Anfragen an dich",
  outgoing: "Deine Anfragen",
  friends: "Deine Freunde",
  noFriends: "Du hast hier noch keine Freunde.",
  blocked: "Blockiert",
  ask: "Als Freund hinzufügen",
  accept: "Annehmen",
  refuse: "Ablehnen",
  takeBack: "Anfrage zurückziehen",
  end: "Freundschaft beenden",
  block: "Blockieren",
  unblock: "Nicht mehr blockieren",
  acceptOf: (name) => `Anfrage von ${name} annehmen`,
  refuseOf: (name) => `Anfrage von ${name} ablehnen`,
  takeBackOf: (name) => `Anfrage an ${name} zurückziehen`,
  unblockOf: (name) => `${name} nicht mehr blockieren`,
  messageTo: (name) => `Nachricht an ${name}`,
  asked: (name) => `Du hast ${name} um Freundschaft gebeten.`,
  nowBlocked: (name) =>
    `Du hast ${name} blockiert. Ihr könnt einander nicht mehr schreiben, und die Nachrichten sind eingeklappt.`,
  folded: "Nachricht von jemandem, den du blockiert hast.",
  show: "Anzeigen",
  blockedHere: (name) => `Du hast ${name} blockiert. Um einander zu schreiben, hebe das zuerst auf.`,
  privacy: {
    title: "Privatsphäre",
    explanation: "Wer eine Unterhaltung mit dir beginnen oder fortsetzen kann. Freunde können es immer.",
    dmsFrom: "Wer dir schreiben darf",
    from: { everyone: "Alle", servers: "Freunde und Leute aus deinen Servern", friends: "Nur Freunde" },
  },
};
