import type { AutomodTrigger } from "@parley/client";
import { linkModes, wordMatches } from "@parley/contracts";
import type { ComponentProps } from "react";
import { texts } from "../../../texts/texts.js";
import { linesOf, numberOrNull, textOf } from "../../../ui/data/form.js";
import { Choice, TextArea, TextField } from "../../../ui/forms/field.js";

type Type = AutomodTrigger["type"];

/** The fields of one kind of trigger; `value` is the trigger that is edited, if it is of this kind. */
export function TriggerFields({ type, value }: { type: Type; value: AutomodTrigger | undefined }) {
  const { own } = texts.serverSettings.automod;
  switch (type) {
    case "words":
    case "name": {
      const words = value?.type === type ? value : undefined;
      return (
        <>
          <Lines label={own.words} name="words" lines={words?.words} required />
          <Choice label={own.match} name="match" defaultValue={words?.match ?? "word"}>
            {wordMatches.map((match) => (
              <option key={match} value={match}>
                {own.matches[match]}
              </option>
            ))}
          </Choice>
          <Lines label={own.allow} name="allow" lines={words?.allow} />
        </>
      );
    }
    case "regex":
      return (
        <Lines
          label={own.patterns}
          name="patterns"
          lines={value?.type === type ? value.patterns : undefined}
          required
        />
      );
    case "links": {
      const links = value?.type === type ? value : undefined;
      return (
        <>
          <Choice label={own.mode} name="mode" defaultValue={links?.mode ?? "block_listed"}>
            {linkModes.map((mode) => (
              <option key={mode} value={mode}>
                {own.modes[mode]}
              </option>
            ))}
          </Choice>
          <Lines label={own.domains} name="domains" lines={links?.domains} />
        </>
      );
    }
    case "invites":
      return null;
    case "mentions":
      return (
        <Count label={own.maxMentions} name="max" min={1} max={50} value={value?.type === type ? value.max : 10} />
      );
    case "repetition": {
      const { max, window_secs } = value?.type === type ? value : { max: 3, window_secs: 60 };
      return (
        <>
          <Count label={own.maxMessages} name="max" min={2} max={20} value={max} />
          <Count label={own.windowSeconds} name="window_secs" min={1} max={600} value={window_secs} />
        </>
      );
    }
    case "attachments": {
      const files = value?.type === type ? value : undefined;
      return (
        <>
          <Lines label={own.mimeTypes} name="mime_types" lines={files?.mime_types} />
          <TextField label={own.maxFiles} name="max" type="number" min={0} max={10} defaultValue={files?.max ?? ""} />
        </>
      );
    }
    case "caps": {
      const { min_length, percent } = value?.type === type ? value : { min_length: 10, percent: 70 };
      return (
        <>
          <Count label={own.minLength} name="min_length" min={5} max={200} value={min_length} />
          <Count label={own.percent} name="percent" min={50} max={100} value={percent} />
        </>
      );
    }
  }
}

function Lines({
  label,
  lines,
  ...props
}: { label: string; lines: string[] | undefined } & ComponentProps<"textarea">) {
  const { own } = texts.serverSettings.automod;
  return <TextArea label={label} hint={own.perLine} defaultValue={lines?.join("\n")} dir="auto" {...props} />;
}

function Count({ value, ...props }: { label: string; value: number } & ComponentProps<"input">) {
  return <TextField type="number" required defaultValue={value} {...props} />;
}

/** The trigger that the fields describe; the server checks it. */
export function triggerOf(form: FormData, type: Type): AutomodTrigger {
  const count = (name: string) => numberOrNull(form, name) ?? 0;
  switch (type) {
    case "words":
    case "name": {
      const match = wordMatches.find((known) => known === textOf(form, "match")) ?? "word";
      return { type, words: linesOf(form, "words"), match, allow: linesOf(form, "allow") };
    }
    case "regex":
      return { type, patterns: linesOf(form, "patterns") };
    case "links": {
      const mode = linkModes.find((known) => known === textOf(form, "mode")) ?? "block_listed";
      return { type, domains: linesOf(form, "domains"), mode };
    }
    case "invites":
      return { type };
    case "mentions":
      return { type, max: count("max") };
    case "repetition":
      return { type, max: count("max"), window_secs: count("window_secs") };
    case "attachments": {
      const max = numberOrNull(form, "max");
      return { type, mime_types: linesOf(form, "mime_types"), ...(max === null ? {} : { max }) };
    }
    case "caps":
      return { type, min_length: count("min_length"), percent: count("percent") };
  }
}
