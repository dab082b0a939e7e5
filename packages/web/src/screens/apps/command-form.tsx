import type { Command } from "@parley/client";
import { type KeyboardEvent, useCallback, useEffect } from "react";
import { useApp } from "../../state/app/use-app.js";
import { textOf } from "../../ui/data/form.js";
import type { Offer } from "./combo-field.js";
import styles from "./command-form.module.css";
import { type Faults, useFaultyForm } from "./faults.js";
import { FormEnd } from "./form-end.js";
import { OptionField } from "./option-field.js";
import { type OptionValue, readOption } from "./option-values.js";
import type { ChosenCommand } from "./use-commands.js";

/** The fields of a command, in place of the composer. Enter uses it, Escape leaves it. */
export function CommandForm({
  chosen: { bot, command },
  channelId,
  serverId,
  onLeave,
}: {
  chosen: ChosenCommand;
  channelId: string;
  serverId: string;
  onLeave: () => void;
}) {
  const { interactions } = useApp();
  const { bot_user_id: botUserId } = bot;
  const name = `/${command.name}`;
  const { ref, onSubmit, faults, error, isBusy } = useFaultyForm({
    root: "options",
    names: command.options.map((option) => option.name),
    check: (form) => valuesOf(command, form).faults,
    async send(form) {
      const body = { bot_user_id: botUserId, command_id: command.id, options: valuesOf(command, form).values };
      await interactions.ask({ channelId, botUserId, name, pressed: null, body });
      onLeave();
    },
  });
  useEffect(() => {
    // The button that uses it, where there are no fields.
    ref.current?.querySelector<HTMLElement>("input:not([type=hidden]), select, [type=submit]")?.focus();
  }, [ref]);
  const complete = useCallback(
    async (focused: string, text: string): Promise<Offer[]> => {
      const { values } = valuesOf(command, new FormData(ref.current ?? undefined));
      const options = { ...values, [focused]: text };
      const body = { bot_user_id: botUserId, command_id: command.id, options, focused, autocomplete: true };
      const choices = await interactions.complete(channelId, body);
      return choices.map((choice) => ({ value: String(choice.value), label: choice.name }));
    },
    [interactions, channelId, botUserId, command, ref],
  );
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented) return;
    if (event.key === "Escape") onLeave();
    // A select has no other use for it.
    else if (event.key === "Enter" && event.target instanceof HTMLSelectElement) ref.current?.requestSubmit();
    else return;
    event.preventDefault();
  };
  return (
    <form
      ref={ref}
      className={styles.form}
      aria-label={name}
      onSubmit={onSubmit}
      onKeyDown={onKeyDown}
      // The form shows faults at the field, in the language of the page.
      noValidate
    >
      <p className={styles.title}>
        <bdi className={styles.name}>{name}</bdi> <bdi>{command.description}</bdi>
        <bdi className={styles.bot}>{bot.name}</bdi>
      </p>
      {command.options.map((option) => (
        <CompletedField
          key={option.name}
          option={option}
          serverId={serverId}
          error={faults[option.name]}
          complete={complete}
        />
      ))}
      <FormEnd error={error} isBusy={isBusy} onLeave={onLeave} />
    </form>
  );
}

function CompletedField({
  complete,
  ...props
}: Omit<Parameters<typeof OptionField>[0], "complete"> & {
  complete: (focused: string, text: string) => Promise<Offer[]>;
}) {
  const { name } = props.option;
  return <OptionField {...props} complete={useCallback((text: string) => complete(name, text), [complete, name])} />;
}

/** The values of the fields, and the faults of the others. */
function valuesOf({ options }: Command, form: FormData) {
  const values: Record<string, OptionValue> = {};
  const faults: Record<string, string> = {};
  for (const option of options) {
    const read = readOption(option, textOf(form, option.name));
    if ("fault" in read) faults[option.name] = read.fault;
    else if (read.value !== undefined) values[option.name] = read.value;
  }
  return { values, faults: faults satisfies Faults };
}
