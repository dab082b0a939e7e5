import type { Texts } from "../english/catalogue.js";
import { account } from "./account.js";
import { administration } from "./administration.js";
import { auditLog } from "./audit-log.js";
import { conversation } from "./conversation.js";
import { errors } from "./errors.js";
import { search } from "./search.js";
import { serverSettings } from "./server-settings.js";
import { shell } from "./shell.js";
import { voice } from "./voice.js";

/** The German texts. */
export const german: Texts = {
  common: {
    cancel: "Abbrechen",
    close: "Schließen",
    showTyped: "Eingabe anzeigen",
    copied: "Kopiert",
    copy: "Kopieren",
    retry: "Erneut versuchen",
    save: "Speichern",
    loading: "Wird geladen",
    moreFor: (name) => `Weitere Aktionen für ${name}`,
    unreachable: "Der Server ist nicht erreichbar. Prüfe deine Verbindung und versuche es noch einmal.",
    partMissing:
      "Dieser Teil konnte nicht geladen werden. Vielleicht gibt es eine neue Version von Parley, oder du bist offline.",
    loadAgain: "Seite neu laden",
    failed: "Da ist etwas schiefgegangen. Versuche es noch einmal.",
    goneAccount: "Gelöschtes Konto",
    sorting: {
      handle: "Griff",
      move: (name) => `${name} verschieben`,
      instructions:
        "Leertaste zum Aufnehmen, Pfeiltasten zum Verschieben, Leertaste zum Ablegen, Escape zum Abbrechen.",
      taken: (name, place, count) => `${name} aufgenommen, Platz ${place} von ${count}.`,
      over: (name, place, count) => `${name} ist jetzt auf Platz ${place} von ${count}.`,
      dropped: (name, place, count) => `${name} auf Platz ${place} von ${count} abgelegt.`,
      cancelled: (name) => `Abgebrochen. ${name} ist wieder am alten Platz.`,
    },
  },
  account,
  administration,
  auditLog,
  errors,
  search,
  serverSettings,
  voice,
  conversation,
  shell,
  login: {
    brand: "Parley",
    title: "Bei Parley anmelden",
    ends: {
      ended:
        "Du wurdest abgemeldet: Deine Sitzung wurde auf einem anderen Gerät beendet, dein Passwort wurde geändert, oder du warst lange weg.",
      disabled: "Du wurdest abgemeldet, weil dieses Konto gesperrt wurde. Mehr weiß ein Administrator.",
    },
    username: "Benutzername",
    password: "Passwort",
    code: "Code aus deiner Authenticator-App oder ein Wiederherstellungscode",
    submit: "Anmelden",
    register: "Konto erstellen",
    instead: "Ich habe schon ein Konto",
    registerTitle: "Konto erstellen",
    registerSubmit: "Registrieren",
    email: "E-Mail (optional)",
    inviteCode: "Einladungscode",
    closed: "Hier können gerade keine neuen Konten erstellt werden.",
    usernameHint: "2 bis 32 Zeichen: Buchstaben, Ziffern und Unterstriche.",
    passwordHint: "Mindestens 8 Zeichen.",
    forgot: "Passwort vergessen?",
    resetTitle: "Passwort zurücksetzen",
    resetExplanation: "Gib deine E-Mail-Adresse ein. Gehört sie zu einem Konto, schicken wir dir einen Code.",
    resetEmail: "E-Mail-Adresse",
    resetSend: "Code senden",
    resetToken: "Code aus der E-Mail oder von einem Administrator",
    resetPassword: "Neues Passwort",
    resetSubmit: "Neues Passwort speichern",
    resetDone: "Dein Passwort ist geändert. Melde dich mit dem neuen an.",
  },
};
