import { useApp, useAppState } from "../../state/app/use-app.js";
import { emojiSince, onEmojiDelete } from "../../state/community/server-events.js";
import { texts } from "../../texts/texts.js";
import { useAction } from "../../ui/data/use-action.js";
import { ActionForm } from "../../ui/forms/action-form.js";
import { TextField } from "../../ui/forms/field.js";
import { Panel } from "../../ui/forms/settings-page.js";
import { ListRows } from "../../ui/lists/async-rows.js";
import { Row } from "../../ui/lists/rows.js";
import { showBytes } from "../../ui/look/show.js";
import { RowMenu } from "../../ui/overlays/row-menu.js";
import type { ServerSectionProps } from "./section-props.js";
import styles from "./server-settings.module.css";

/** The custom emoji of the server. */
export function EmojiSection({ server }: ServerSectionProps) {
  const { client, store } = useApp();
  const labels = texts.serverSettings.emoji;
  const emojis = useAppState((state) => state.emojis[server.id]) ?? [];
  const create = useAction(async (form: FormData) => {
    await store.change(() => client.emojis.create(server.id, form), emojiSince);
  });
  const remove = async (id: string) => {
    await client.emojis.delete(server.id, id);
    store.apply((state) => onEmojiDelete(state, { server_id: server.id, emoji_id: id }));
  };
  return (
    <>
      <ListRows items={emojis} label={labels.title} empty={labels.none}>
        {(emoji) => (
          <Row
            key={emoji.id}
            picture={<img className={styles.emoji} src={emoji.url} alt="" />}
            title={`:${emoji.name}:`}
            detail={showBytes(emoji.file_size)}
            actions={
              <RowMenu
                name={`:${emoji.name}:`}
                actions={[
                  {
                    label: labels.delete,
                    danger: true,
                    question: {
                      title: labels.deleteTitle(emoji.name),
                      explanation: labels.deleteExplanation,
                      onConfirm: () => remove(emoji.id),
                    },
                  },
                ]}
              />
            }
          />
        )}
      </ListRows>
      <Panel title={labels.create}>
        <ActionForm action={create} submit={labels.create}>
          <TextField label={labels.name} name="name" pattern="[a-z0-9_\-]{1,32}" hint={labels.nameHint} required />
          <TextField
            label={labels.image}
            name="image"
            type="file"
            accept="image/png,image/jpeg,image/gif,image/webp"
            required
          />
        </ActionForm>
      </Panel>
    </>
  );
}
