import { useCallback } from "react";
import { useSession } from "../../session/session.js";
import { texts } from "../../texts/texts.js";
import { AsyncContent, Empty, ErrorNote } from "../../ui/async-content.js";
import { Button } from "../../ui/button.js";
import { TextField } from "../../ui/field.js";
import { onForm } from "../../ui/form.js";
import { Row, Rows } from "../../ui/rows.js";
import { Panel } from "../../ui/settings-page.js";
import { showBytes } from "../../ui/show.js";
import { useAction } from "../../ui/use-action.js";
import { useData } from "../../ui/use-data.js";
import type { ServerSectionProps } from "./section-props.js";
import styles from "./server-settings.module.css";

/** The custom emoji of the server. */
export function EmojiSection({ server }: ServerSectionProps) {
  const { client } = useSession();
  const names = texts.serverSettings.emoji;
  const emojis = useData(useCallback((signal) => client.emojis.list(server.id, { signal }), [client, server.id]));
  const create = useAction(async (form: FormData) => {
    const emoji = await client.emojis.create(server.id, form);
    emojis.set((all) => [...all.filter(({ id }) => id !== emoji.id), emoji]);
  });
  const remove = useAction(async (id: string) => {
    await client.emojis.delete(server.id, id);
    emojis.set((all) => all.filter((emoji) => emoji.id !== id));
  });
  return (
    <>
      <ErrorNote error={remove.error} />
      <AsyncContent data={emojis}>
        {(all) =>
          all.length === 0 ? (
            <Empty>{names.none}</Empty>
          ) : (
            <Rows label={names.title}>
              {all.map((emoji) => (
                <Row
                  key={emoji.id}
                  picture={<img className={styles.emoji} src={emoji.url} alt="" />}
                  title={`:${emoji.name}:`}
                  detail={showBytes(emoji.file_size)}
                  actions={
                    <Button kind="quiet" disabled={remove.isBusy} onClick={() => remove.run(emoji.id)}>
                      {names.delete}
                    </Button>
                  }
                />
              ))}
            </Rows>
          )
        }
      </AsyncContent>
      <Panel title={names.create}>
        <form
          onSubmit={onForm(async (form, element) => {
            if (await create.run(form)) element.reset();
          })}
        >
          <TextField label={names.name} name="name" pattern="[a-z0-9_\-]{1,32}" hint={names.nameHint} required />
          <TextField
            label={names.image}
            name="image"
            type="file"
            accept="image/png,image/jpeg,image/gif,image/webp"
            required
          />
          <ErrorNote error={create.error} />
          <Button type="submit" disabled={create.isBusy}>
            {names.create}
          </Button>
        </form>
      </Panel>
    </>
  );
}
