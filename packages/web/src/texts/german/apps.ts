import type { Texts } from "../english/catalogue.js";

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
};
