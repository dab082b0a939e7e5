import type { Texts } from "../english/catalogue.js";
import { counted } from "./counted.js";

const servers = (count: number) => counted(count, "Server", "Server");
const messages = (count: number) => counted(count, "Nachricht", "Nachrichten");

/** Texts of the administration of the instance. */
export const administration: Texts["administration"] = {
  title: "Verwaltung",
  statistics: {
    title: "Statistik",
    explanation: "Wie groß Parley hier geworden ist und wie es läuft.",
    total_users: "Konten",
    total_servers: "Server",
    total_channels: "Kanäle",
    total_messages: "Nachrichten",
    active_ws_connections: "Offene Verbindungen",
    storage: "Dateien",
    latency: "Antwortzeit der Datenbank",
    uptime: "Läuft seit",
  },
  users: {
    title: "Konten",
    explanation: "Alle Konten auf dieser Installation.",
    search: "Nach Namen suchen",
    sort: "Sortieren nach",
    byCreation: "Neueste zuerst",
    byName: "Name",
    byMessages: "Meiste Nachrichten",
    found: (total) => counted(total, "Konto", "Konten"),
    detail: (serverCount, messageCount, since) =>
      `${servers(serverCount)}, ${messages(messageCount)}, registriert am ${since}`,
    own: "Du",
    administrator: "Administrator",
    disabled: "Gesperrt",
    promote: "Zum Administrator machen",
    promoteTitle: (name) => `${name} zum Administrator machen?`,
    promoteExplanation:
      "Administratoren können hier alle Konten und Server sehen, sperren und löschen und bestimmen, wer sich registrieren darf.",
    demote: "Administratorrechte entziehen",
    demoteTitle: (name) => `${name} die Administratorrechte entziehen?`,
    demoteExplanation: "Das Konto bleibt, wie es ist, kann die Verwaltung aber nicht mehr öffnen.",
    disable: "Sperren",
    disableTitle: (name) => `${name} sperren?`,
    disableExplanation:
      "Alle Sitzungen enden sofort, und niemand kann sich mit dem Konto anmelden, bis du es entsperrst.",
    enable: "Entsperren",
    delete: "Löschen",
    deleteTitle: (name) => `${name} löschen?`,
    deleteExplanation:
      "Die Nachrichten bleiben, aber ohne Namen. Server, die dem Konto gehören, müssen vorher gelöscht oder übergeben werden. Das lässt sich nicht rückgängig machen.",
    reset: "Code zum Zurücksetzen erstellen",
    resetToken: "Code zum Zurücksetzen",
    resetTitle: (name) => `Neues Passwort für ${name}`,
    resetHint:
      "Wer diesen Code hat, kann unter „Passwort vergessen?“ ein neues Passwort für das Konto festlegen. Er gilt einmal, eine Stunde lang.",
  },
  servers: {
    title: "Server",
    explanation: "Alle Server, öffentliche und andere.",
    search: "Nach Namen suchen",
    found: servers,
    detail: (owner, members, messageCount) =>
      `Gehört ${owner}, ${counted(members, "Mitglied", "Mitglieder")}, ${messages(messageCount)}`,
    public: "Öffentlich",
    delete: "Löschen",
    deleteTitle: (name) => `${name} löschen?`,
    deleteExplanation:
      "Alle Kanäle, Nachrichten und Dateien des Servers werden gelöscht. Das lässt sich nicht rückgängig machen.",
  },
  installation: {
    title: "Installation",
    explanation: "Wie sie heißt, wie sie vor der Anmeldung aussieht, und ihre Regeln.",
    logo: "Logo",
    texts: "Name und Seiten",
    name: "Name",
    description: "Beschreibung",
    contact: "Kontakt",
    contactHint: "Wie man dich erreicht, etwa eine E-Mail-Adresse.",
    accent: "Farbe",
    accentHint: "Zum Beispiel #3366ff.",
    terms: "Nutzungsbedingungen",
    privacy: "Datenschutzerklärung",
    imprint: "Impressum",
    markdown: (path) => `Markdown. Alle können es unter ${path} lesen.`,
    reaccept: "Alle noch einmal um Zustimmung zu den Bedingungen bitten",
    reacceptHint: "Wer neu ist, stimmt ihnen immer zu.",
  },
  registration: {
    title: "Registrierung",
    explanation: "Wer ein Konto anlegen kann.",
    mode: "Wer sich registrieren darf",
    open: "Alle",
    invite_only: "Nur mit Einladungscode",
    closed: "Niemand",
    saved: "Gespeichert.",
  },
  log: "Protokoll",
  logExplanation: "Was Administratoren geändert haben, das Neueste zuerst.",
  pages: {
    previous: "Vorherige Seite",
    next: "Nächste Seite",
    position: (page, of) => `Seite ${page} von ${of}`,
  },
  nothing: "Keine Treffer.",
};
