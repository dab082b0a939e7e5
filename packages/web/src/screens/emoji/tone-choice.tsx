import { ToggleGroup } from "radix-ui";
import { type Ref, useEffect, useRef } from "react";
import { type Tone, tones } from "../../device/schemas.js";
import { texts } from "../../texts/texts.js";
import { IconButton } from "../../ui/look/button.js";
import styles from "./emoji-picker.module.css";

const hand = "✋";
/** A group of buttons has no empty value. */
const handIn = (tone: Tone) => `${hand}${tone}`;

/** Shows the tone, and opens the choice of it. */
export function ToneButton({
  ref,
  tone,
  isOpen,
  onPress,
}: {
  ref: Ref<HTMLButtonElement>;
  tone: Tone;
  isOpen: boolean;
  onPress: () => void;
}) {
  const labels = texts.conversation;
  return (
    <IconButton
      ref={ref}
      label={`${labels.skinTone}: ${labels.skinTones[tones.indexOf(tone)] ?? ""}`}
      className={styles.tone}
      aria-expanded={isOpen}
      onClick={onPress}
    >
      <span aria-hidden>{hand + tone}</span>
    </IconButton>
  );
}

/** The choice of the tone in which all emoji of people are. */
export function ToneChoice({ tone, onChoose }: { tone: Tone; onChoose: (tone: Tone) => void }) {
  const labels = texts.conversation;
  const group = useRef<HTMLDivElement>(null);
  useEffect(() => {
    group.current?.querySelector<HTMLElement>('[aria-checked="true"]')?.focus();
  }, []);
  return (
    <ToggleGroup.Root
      ref={group}
      type="single"
      className={styles.bar}
      aria-label={labels.skinTone}
      value={handIn(tone)}
      // It is empty when the chosen one is pressed again.
      onValueChange={(value) => onChoose(tones.find((each) => handIn(each) === value) ?? tone)}
    >
      {tones.map((each, index) => (
        <ToggleGroup.Item
          key={each}
          value={handIn(each)}
          className={styles.tone}
          aria-label={labels.skinTones[index]}
          title={labels.skinTones[index]}
        >
          {hand + each}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}
