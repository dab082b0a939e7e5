import { X } from "lucide-react";
import { useCallback } from "react";
import { useApp } from "../../state/app/use-app.js";
import { useSettingsUpdates } from "../../state/app/use-settings-updates.js";
import { texts } from "../../texts/texts.js";
import { ErrorNote } from "../../ui/data/async-content.js";
import { onForm, textOf } from "../../ui/data/form.js";
import { useAction } from "../../ui/data/use-action.js";
import { useData } from "../../ui/data/use-data.js";
import { TextField } from "../../ui/forms/field.js";
import { AsyncRows } from "../../ui/lists/async-rows.js";
import { Row } from "../../ui/lists/rows.js";
import { Button, IconButton } from "../../ui/look/button.js";

/** The words of the filter. */
export function AutomodWords({ serverId }: { serverId: string }) {
  const { client } = useApp();
  const labels = texts.serverSettings.automod;
  const words = useData(useCallback((signal) => client.automod.words(serverId, { signal }), [client, serverId]));
  useSettingsUpdates(serverId, "automod", words.reload);
  const add = useAction(async (form: FormData) => {
    const entry = await client.automod.addWord(serverId, { word: textOf(form, "word") });
    words.set((all) => [...all.filter(({ id }) => id !== entry.id), entry]);
  });
  const remove = useAction(async (word: string) => {
    await client.automod.deleteWord(serverId, word);
    words.set((all) => all.filter((entry) => entry.word !== word));
  });
  return (
    <>
      <form
        onSubmit={onForm(async (form, element) => {
          if (await add.run(form)) element.reset();
        })}
      >
        <TextField label={labels.addWord} name="word" maxLength={100} required autoComplete="off" />
        <ErrorNote error={add.error ?? remove.error} />
        <Button type="submit" kind="quiet" disabled={add.isBusy}>
          {labels.add}
        </Button>
      </form>
      <AsyncRows data={words} label={labels.words} empty={labels.noWords}>
        {({ id, word }) => (
          <Row
            key={id}
            title={word}
            actions={
              <IconButton label={labels.remove(word)} disabled={remove.isBusy} onClick={() => remove.run(word)}>
                <X size={16} aria-hidden />
              </IconButton>
            }
          />
        )}
      </AsyncRows>
    </>
  );
}
