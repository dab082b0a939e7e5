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

/**
 * The English texts that are not part of the first load, by screen. Functions take the words in the middle of a
 * sentence.
 */
export const english = {
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
    choose: "Choose a picture",
    hint: "PNG, JPEG, WebP or GIF, up to 8 MB. You can drop it here, too. Only the middle square is shown.",
    label: "Picture file",
    preview: "This is how it will look.",
    use: "Use this picture",
    remove: "Remove the picture",
    saved: "The picture has been changed.",
  },
  sorting: {
    handle: "handle",
    move: (name: string) => `Move ${name}`,
    instructions: "Press Space to pick it up, the arrow keys to move it, Space again to drop it, Escape to cancel.",
    taken: (name: string, place: number, count: number) => `Picked up ${name}, number ${place} of ${count}.`,
    over: (name: string, place: number, count: number) => `${name} is now number ${place} of ${count}.`,
    dropped: (name: string, place: number, count: number) => `Dropped ${name} as number ${place} of ${count}.`,
    cancelled: (name: string) => `Cancelled. ${name} is back where it was.`,
  },
} as const;
