import type { Texts } from "../english/catalogue.js";

/** Benachrichtigungen. */
export const notifications: Texts["notifications"] = {
  title: "Benachrichtigungen",
  explanation: "Gleich auf allen Geräten. Server, Kanäle und Threads haben eigene in ihren Menüs.",
  actions: { reply: "Antworten", placeholder: "Deine Antwort", markRead: "Als gelesen markieren" },
  levels: { all: "Alle Nachrichten", mentions: "Nur Erwähnungen", nothing: "Nichts" },
  asDefault: "Wie in meinem Konto",
  asServer: "Wie im Server",
  asChannel: "Wie im Kanal",
  suppressEveryone: "@everyone nicht beachten",
  muteFor: (duration) => `Stummschalten für ${duration}`,
  muteForever: "Stummschalten, bis ich es aufhebe",
  unmute: "Stummschaltung aufheben",
  muted: "stummgeschaltet",
  defaultLevel: "Worüber ich benachrichtigt werde",
  defaultLevelHint: "In Servern und Kanälen, für die nichts anderes gilt. Über Direktnachrichten immer.",
  quiet: "Ruhezeit",
  quietHint: "Eine Tageszeit ohne Benachrichtigungen.",
  quietIn: (timezone) => `Nach der Uhr von ${timezone}.`,
  quietFrom: "Von",
  quietTo: "Bis",
  mail: "E-Mails",
  mails: { off: "Keine", mentions: "Wenn ich etwas verpasst habe", daily: "Täglich um acht" },
  mailHints: {
    off: "Du bekommst keine E-Mails über Nachrichten.",
    mentions: "Eine Viertelstunde nach einer ungelesenen Erwähnung oder Direktnachricht, höchstens eine je Stunde.",
  },
  mailDailyIn: (timezone) =>
    `Erwähnungen, Direktnachrichten und was anderen am besten gefiel, nach der Uhr von ${timezone}.`,
  mailUnverified: "Für E-Mails bestätige zuerst die Adresse in deinem Profil.",
  mailWithoutAddress: "Für E-Mails braucht das Konto eine E-Mail-Adresse.",
  calendar: {
    title: "Kalender",
    explanation: "Ein Kalenderprogramm zeigt die Termine, die dich interessieren.",
    make: "Neue Adresse erzeugen",
    address: "Adresse für dein Kalenderprogramm",
    addressHint: "Wird nur einmal gezeigt. Wer sie hat, kann deine Termine lesen. Eine neue beendet diese.",
  },
  push: {
    title: "Geräte",
    explanation: "Sie melden Nachrichten, während Parley geschlossen ist.",
    enabled: "Meine Geräte benachrichtigen",
    content: "Mit dem Text der Nachrichten",
    contentHint:
      "Für das Gerät verschlüsselt: Der Dienst, der ihn zustellt, kann ihn nicht lesen. Sonst steht dort nur, wer wo geschrieben hat.",
    notifyHere: "Dieses Gerät benachrichtigen",
    impossible:
      "Dieser Browser kann nicht benachrichtigt werden. Füge Parley auf iPhone und iPad zuerst zum Home-Bildschirm hinzu.",
    blocked: "Dein Browser blockiert Benachrichtigungen von Parley. Erlaube sie in seinen Einstellungen.",
    failed: "Der Benachrichtigungsdienst deines Browsers ist nicht erreichbar. Versuche es später noch einmal.",
    devices: "Geräte, die benachrichtigt werden",
    unnamed: "Unbekanntes Gerät",
    here: "Dieses Gerät",
    added: (time) => `Hinzugefügt: ${time}`,
    remove: "Entfernen",
  },
};
