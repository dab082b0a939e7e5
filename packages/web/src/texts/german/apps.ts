import type { Texts } from "../english/catalogue.js";
import { counted } from "./counted.js";

/** Bots: Einbettungen, Bedienelemente und Antworten. */
export const apps: Texts["apps"] = {
  embed: "Einbettung",
  webhook: "Webhook",
  choose: {
    text: "Auswählen",
    user: "Person auswählen",
    role: "Rolle auswählen",
    channel: "Kanal auswählen",
  },
  app: "Die App",
  waiting: (name) => `${name} wird gefragt …`,
  thinking: (name) => `${name} denkt nach …`,
  noAnswer: (name) => `${name} hat nicht geantwortet.`,
  dismiss: "Ausblenden",
  onlyYou: "Nur du siehst das",
  optional: (label) => `${label} (freiwillig)`,
  submit: "Senden",
  modalOf: (name) => `Was du hier schreibst, geht an ${name}.`,
  faults: {
    required: "Das wird gebraucht.",
    length: (min, max) => (min === 0 ? `Höchstens ${max} Zeichen.` : `${min} bis ${max} Zeichen.`),
    choice: "Wähle etwas aus der Liste.",
    integer: "Bitte eine ganze Zahl.",
    number: "Bitte eine Zahl.",
    least: (min) => `${min} oder mehr.`,
    most: (max) => `${max} oder weniger.`,
  },
  yes: "Ja",
  no: "Nein",
  entry: "Apps",
  entryOf: (command, bot) => `${command} – ${bot}`,
  add: {
    page: "Bot hinzufügen",
    title: (name) => `${name} zu einem Server hinzufügen`,
    commands: (count) => counted(count, "Befehl", "Befehle"),
    servers: (count) => `auf ${counted(count, "Server", "Servern")}`,
    server: "Server",
    serverHint: "Die, deren Einstellungen du ändern darfst.",
    noServers: "Es gibt keinen Server, dem du Bots hinzufügen darfst.",
    permissionsHint:
      "Er bittet um diese Berechtigungen und bekommt sie durch eine eigene Rolle. Du kannst welche weglassen.",
    noPermissions: "Er bittet um keine Berechtigungen.",
    add: "Hinzufügen",
    added: (name) => `${name} wurde hinzugefügt.`,
    goneTitle: "Kein solcher Bot",
    gone: "Diesen Bot gibt es nicht, oder nur wer ihn gemacht hat, kann ihn hinzufügen.",
    failedTitle: "Der Bot kann nicht gezeigt werden",
  },
};
