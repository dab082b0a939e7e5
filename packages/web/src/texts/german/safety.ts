import type { Texts } from "../english/catalogue.js";
import { counted } from "./counted.js";

/** Newcomers, raids, and the rules that members accept. */
export const safety: Texts["serverSettings"]["safety"] = {
  title: "Neulinge und Anstürme",
  explanation: "Was dieser Server von neuen Mitgliedern verlangt, und was er tut, wenn sehr viele auf einmal kommen.",
  newcomers: "Neulinge",
  newcomersHint:
    "Wem etwas fehlt, der kann lesen, aber nicht schreiben, reagieren oder sprechen. Moderatoren und Bots sind ausgenommen.",
  min_account_age_minutes: "Alter des Kontos (Minuten)",
  min_membership_minutes: "Zeit seit dem Beitritt (Minuten)",
  require_verified_email: "Eine bestätigte E-Mail-Adresse",
  rulesTitle: "Regeln",
  rulesHint: "Mitglieder nehmen sie an, bevor sie schreiben können. Leer lassen für keine.",
  rules: "Text der Regeln",
  rules_for_all: "Auch frühere Mitglieder fragen, und nach jeder Änderung alle noch einmal",
  shield: "Schutz vor Anstürmen",
  shieldHint:
    "Treten in einer Minute mehr neue Konten bei, als du erlaubst, kommt keines mehr herein, und wer gerade kam, kann nicht schreiben. Alle anderen merken nichts.",
  raid_shield: "An",
  raid_joins_per_minute: "Beitritte neuer Konten je Minute",
  raid_new_accounts_hours: "Konten sind neu für (Stunden)",
  raid_minutes: "Bleibt geschlossen für (Minuten)",
  ownerOnly: "Nur der Eigentümer kann diese Einstellungen ändern.",
  saved: "Gespeichert.",
  raid: "Ansturm",
  raidHint: "Du kannst den Server auch selbst für neue Konten schließen.",
  noRaid: "Gerade gibt es keinen Ansturm.",
  underRaid: (time) => `Der Server ist bis ${time} für neue Konten geschlossen.`,
  joined: (count) => `Während des letzten Ansturms traten ${counted(count, "Konto", "Konten")} bei.`,
  minutes: "Für (Minuten)",
  begin: "Für neue Konten schließen",
  end: "Ansturm beenden",
  banJoined: "Beigetretene bannen",
  banTitle: (count) => `${counted(count, "Konto", "Konten")} bannen?`,
  banExplanation:
    "Alle, die von einer Minute vor dem Ansturm bis zu seinem Ende beigetreten sind, werden gebannt, auch ältere Konten und wer schon wieder gegangen ist.",
  bannedJoined: (banned, failed) =>
    failed === 0 ? `${banned} gebannt.` : `${banned} gebannt, ${failed} konnten nicht gebannt werden.`,
};
