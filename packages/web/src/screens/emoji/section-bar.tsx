import {
  Apple,
  Clock,
  Flag,
  Hash,
  Lightbulb,
  PawPrint,
  Plane,
  Smile,
  Sparkles,
  Trophy,
  UsersRound,
} from "lucide-react";
import { Toolbar } from "radix-ui";
import type { ReactNode } from "react";
import { texts } from "../../texts/texts.js";
import styles from "./emoji-picker.module.css";
import type { Section, SectionId } from "./sections.js";

const icon = { size: 18, "aria-hidden": true } as const;
const icons: Readonly<Record<Exclude<SectionId, "found">, ReactNode>> = {
  recent: <Clock {...icon} />,
  custom: <Sparkles {...icon} />,
  smileys: <Smile {...icon} />,
  people: <UsersRound {...icon} />,
  animals: <PawPrint {...icon} />,
  food: <Apple {...icon} />,
  travel: <Plane {...icon} />,
  activities: <Trophy {...icon} />,
  objects: <Lightbulb {...icon} />,
  symbols: <Hash {...icon} />,
  flags: <Flag {...icon} />,
};

/** Leads to the sections of the picker; the arrow keys move in it. */
export function SectionBar({
  sections,
  current,
  onChoose,
}: {
  sections: readonly Section[];
  current: SectionId | null;
  onChoose: (section: SectionId) => void;
}) {
  const labels = texts.conversation;
  return (
    <Toolbar.Root className={styles.bar} aria-label={labels.emojiSections}>
      {sections.map(({ id }) =>
        id === "found" ? null : (
          <Toolbar.Button
            key={id}
            className={styles.section}
            aria-label={labels.emojiGroups[id]}
            title={labels.emojiGroups[id]}
            aria-current={id === current}
            onClick={() => onChoose(id)}
          >
            {icons[id]}
          </Toolbar.Button>
        ),
      )}
    </Toolbar.Root>
  );
}
