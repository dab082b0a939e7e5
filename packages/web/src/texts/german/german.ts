import type { ScreenTexts } from "../english/catalogue.js";
import { account } from "./account.js";
import { administration } from "./administration.js";
import { apps } from "./apps.js";
import { auditLog } from "./audit-log.js";
import { conversation } from "./conversation.js";
import { figures } from "./figures.js";
import { groups } from "./groups.js";
import { imports } from "./imports.js";
import { inbox } from "./inbox.js";
import { moderation } from "./moderation.js";
import { notifications } from "./notifications.js";
import { people } from "./people.js";
import { refusals } from "./refusals.js";
import { search } from "./search.js";
import { serverSettings } from "./server-settings.js";
import { shell } from "./shell.js";
import { threads } from "./threads.js";
import { voice } from "./voice.js";

/** The other German texts. */
export const german: ScreenTexts = {
  account,
  administration,
  apps,
  auditLog,
  figures,
  groups,
  imports,
  inbox,
  moderation,
  notifications,
  people,
  refusals,
  search,
  serverSettings,
  threads,
  voice,
  conversation,
  shell,
  picture: {
    choose: "Bild auswählen",
    hint: "PNG, JPEG, WebP oder GIF, bis 8 MB. Du kannst es auch hierher ziehen. Gezeigt wird nur das mittlere Quadrat.",
    label: "Bilddatei",
    preview: "So wird es aussehen.",
    use: "Dieses Bild verwenden",
    remove: "Bild entfernen",
    saved: "Das Bild wurde geändert.",
  },
  sorting: {
    handle: "Griff",
    move: (name) => `${name} verschieben`,
    instructions: "Leertaste zum Aufnehmen, Pfeiltasten zum Verschieben, Leertaste zum Ablegen, Escape zum Abbrechen.",
    taken: (name, place, count) => `${name} aufgenommen, Platz ${place} von ${count}.`,
    over: (name, place, count) => `${name} ist jetzt auf Platz ${place} von ${count}.`,
    dropped: (name, place, count) => `${name} auf Platz ${place} von ${count} abgelegt.`,
    cancelled: (name) => `Abgebrochen. ${name} ist wieder am alten Platz.`,
  },
};
