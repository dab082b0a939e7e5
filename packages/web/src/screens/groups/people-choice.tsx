import { useState } from "react";
import { useAppState } from "../../state/app/use-app.js";
import { personName } from "../../state/people/bot-name.js";
import { texts } from "../../texts/texts.js";
import { Empty } from "../../ui/data/async-content.js";
import { useDelayed } from "../../ui/data/use-delayed.js";
import { Checkbox, TextField } from "../../ui/forms/field.js";
import { useCandidates } from "./candidates.js";
import styles from "./people-choice.module.css";

/**
 * Chooses people for a group.
 *
 * @param chosen the names at the choice by id; `max` of them at most
 * @param without ids of people who are in it already
 */
export function PeopleChoice({
  chosen,
  onChange,
  max,
  without,
}: {
  chosen: ReadonlyMap<string, string>;
  onChange: (chosen: ReadonlyMap<string, string>) => void;
  max: number;
  without: readonly string[];
}) {
  const labels = texts.groups;
  const [text, setText] = useState("");
  const typed = useDelayed(text.trim());
  const found = useCandidates(typed, without);
  const profiles = useAppState((state) => state.profiles);
  // Chosen people stay, whatever the user searches for then.
  const kept = [...chosen].flatMap(([id, username]) => (found.some((one) => one.id === id) ? [] : [{ id, username }]));
  const change = (id: string, username: string, isChosen: boolean) => {
    const next = new Map(chosen);
    if (isChosen) next.set(id, username);
    else next.delete(id);
    onChange(next);
  };
  const people = [...kept, ...found];
  return (
    <>
      <TextField
        label={labels.find}
        type="search"
        hint={labels.findHint}
        maxLength={100}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          // It is a field of a form, which Enter would send.
          if (event.key === "Enter") event.preventDefault();
        }}
      />
      {people.length === 0 ? <Empty>{labels.nobody}</Empty> : null}
      <fieldset className={styles.people}>
        <legend className="visually-hidden">{labels.people}</legend>
        {people.map(({ id, username, ...person }) => (
          <Checkbox
            key={id}
            label={personName(profiles[id] ?? { username, ...person })}
            checked={chosen.has(id)}
            disabled={!chosen.has(id) && chosen.size >= max}
            onChange={(event) => change(id, username, event.currentTarget.checked)}
          />
        ))}
      </fieldset>
      <output className={styles.chosen}>{labels.chosen(chosen.size, max)}</output>
    </>
  );
}
