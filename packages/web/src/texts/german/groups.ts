import { counted } from "./counted.js";

/** Gespräche zwischen mehreren. */
export const groups = {
  create: "Neue Gruppe",
  name: "Name der Gruppe",
  nameHint: "Das Feld kann leer bleiben: Dann heißt die Gruppe nach ihren Leuten.",
  find: "Leute finden",
  findHint: "Freunde, Leute, mit denen du schreibst, und Leute aus deinen Servern.",
  people: "Leute zur Auswahl",
  chosen: (count: number, max: number) => `${counted(count, "Person", "Personen")} gewählt, höchstens ${max}.`,
  nobody: "Niemand gefunden.",
  start: "Gruppe beginnen",
  count: (count: number) => counted(count, "Person", "Personen"),
  open: "Leute und Einstellungen der Gruppe",
  title: "Gruppe",
  members: "In dieser Gruppe",
  owner: "Eigentümer",
  you: (name: string) => `${name} (du)`,
  add: "Leute hinzufügen",
  full: "In der Gruppe sind zehn Personen, mehr passen nicht hinein.",
  remove: (name: string) => `${name} aus der Gruppe entfernen`,
  removeShort: "Entfernen",
  saved: "Der Name wurde geändert.",
  leave: "Gruppe verlassen",
  leaveTitle: (name: string) => `${name} verlassen?`,
  leaveExplanation:
    "Du kannst sie dann nicht mehr lesen. Wer darin ist, kann dich wieder hinzufügen. Wer als Letzter geht, löscht sie.",
  alone: "Nur du",
} as const;
