import { toUser } from "../objects/user.js";
import { interactionTranslation } from "./interaction.js";
import { memberTranslations } from "./member-translations.js";
import { messageTranslations } from "./message-translations.js";
import { serverTranslations } from "./server-translations.js";
import { as, one } from "./translation-of.js";

/** The gateway's events that bots get, by name. */
export const translations = {
  ...messageTranslations,
  ...memberTranslations,
  ...serverTranslations,
  USER_UPDATE: as<"USER_UPDATE">({
    of: "user",
    becomes: ["USER_UPDATE"],
    make: ({ d }) => one("USER_UPDATE", toUser({ ...d, is_bot: true })),
  }),
  INTERACTION_CREATE: interactionTranslation,
} as const;
