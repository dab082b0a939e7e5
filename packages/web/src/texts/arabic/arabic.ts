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
import { isolated } from "./isolated.js";
import { moderation } from "./moderation.js";
import { notifications } from "./notifications.js";
import { people } from "./people.js";
import { refusals } from "./refusals.js";
import { search } from "./search.js";
import { serverSettings } from "./server-settings.js";
import { shell } from "./shell.js";
import { threads } from "./threads.js";
import { voice } from "./voice.js";

/** The other Arabic texts. */
export const arabic: ScreenTexts = {
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
    choose: "اختر صورة",
    hint: "‏PNG أو JPEG أو WebP أو GIF، حتى 8 ميغابايت. يمكنك أيضًا إفلاتها هنا. يُعرض المربع الأوسط فقط.",
    label: "ملف الصورة",
    preview: "هكذا ستبدو.",
    use: "استخدم هذه الصورة",
    remove: "أزل الصورة",
    saved: "تم تغيير الصورة.",
  },
  sorting: {
    handle: "مقبض",
    move: (name) => `نقل ${isolated(name)}`,
    instructions: "مفتاح المسافة للالتقاط، والأسهم للنقل، والمسافة مجددًا للإفلات، وEsc للإلغاء.",
    taken: (name, place, count) => `التُقط ${isolated(name)}، الموضع ${place} من ${count}.`,
    over: (name, place, count) => `${isolated(name)} الآن في الموضع ${place} من ${count}.`,
    dropped: (name, place, count) => `أُفلت ${isolated(name)} في الموضع ${place} من ${count}.`,
    cancelled: (name) => `أُلغي النقل. عاد ${isolated(name)} إلى مكانه.`,
  },
};
