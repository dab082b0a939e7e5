import type { Channel } from "@parley/client";
import { useApp } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { ErrorNote } from "../../ui/data/async-content.js";
import { textOf, textOrNull } from "../../ui/data/form.js";
import { useAction } from "../../ui/data/use-action.js";
import { ActionForm } from "../../ui/forms/action-form.js";
import { Choice, TextField } from "../../ui/forms/field.js";
import { Panel } from "../../ui/forms/settings-page.js";
import { ListRows } from "../../ui/lists/async-rows.js";
import { Row, Tag } from "../../ui/lists/rows.js";
import { Sortable, useSortableRow } from "../../ui/lists/sortable.js";
import { Button } from "../../ui/look/button.js";
import { RowMenu } from "../../ui/overlays/row-menu.js";
import { useOpenDialog } from "../actions/open-dialog.js";
import { type ChannelEntry, dropTarget } from "./channel-order.js";
import type { ServerSectionProps } from "./section-props.js";
import styles from "./server-settings.module.css";
import { useChannelOrder } from "./use-channel-order.js";

/** The channels that the user may view, in their order, which dragging changes. */
export function ChannelsSection({ server }: ServerSectionProps) {
  const { client } = useApp();
  const labels = texts.serverSettings.channels;
  const create = useAction((form: FormData) =>
    client.channels.create(server.id, {
      name: textOf(form, "name"),
      type: textOf(form, "type") === "voice" ? "voice" : "text",
      category: textOrNull(form, "category"),
      topic: textOrNull(form, "topic"),
    }),
  );
  const { entries, move, error } = useChannelOrder(server.id);
  const categories = entries.flatMap((entry) => (entry.kind === "category" ? [entry] : []));
  return (
    <>
      <datalist id="categories">
        {categories.map(({ id, name }) => (
          <option key={id} value={name} />
        ))}
      </datalist>
      <ErrorNote error={error} />
      <Sortable items={entries} onMove={move} dropTarget={(id, overId) => dropTarget(entries, id, overId)}>
        <ListRows items={entries} label={labels.title} empty={labels.empty}>
          {(entry) =>
            entry.kind === "category" ? (
              <CategoryRow key={entry.id} entry={entry} />
            ) : (
              <ChannelRow key={entry.id} channel={entry.channel} />
            )
          }
        </ListRows>
      </Sortable>
      <Panel title={labels.create}>
        <ActionForm action={create} submit={labels.create}>
          <div className={styles.columns}>
            <TextField label={labels.name} name="name" maxLength={100} required />
            <Choice label={labels.type} name="type">
              <option value="text">{labels.text}</option>
              <option value="voice">{labels.voice}</option>
            </Choice>
            <TextField label={labels.category} name="category" maxLength={100} list="categories" />
          </div>
          <TextField label={labels.topic} name="topic" maxLength={1024} />
        </ActionForm>
      </Panel>
    </>
  );
}

function CategoryRow({ entry }: { entry: Extract<ChannelEntry, { kind: "category" }> }) {
  const sortable = useSortableRow(entry);
  return <Row {...sortable} title={<span className={styles.category}>{entry.name}</span>} />;
}

/** Categories are dropped on categories only. */
const isChannelTarget = (activeId: string | null) => activeId?.startsWith("category ") !== true;

function ChannelRow({ channel }: { channel: Channel }) {
  const labels = texts.serverSettings.channels;
  const open = useOpenDialog((dialogs) => dialogs.open);
  const sortable = useSortableRow(channel, isChannelTarget);
  const { id: channelId, name } = channel;
  return (
    <Row
      {...sortable}
      title={
        <>
          {name}
          {channel.type === "voice" ? <Tag>{labels.voice}</Tag> : null}
        </>
      }
      detail={channel.topic ?? ""}
      actions={
        <>
          <Button kind="quiet" onClick={() => open({ kind: "edit channel", channelId })}>
            {labels.edit}
          </Button>
          <RowMenu
            name={name}
            actions={[
              { label: labels.permissions, onSelect: () => open({ kind: "channel permissions", channelId }) },
              { label: labels.delete, danger: true, onSelect: () => open({ kind: "delete channel", channelId }) },
            ]}
          />
        </>
      }
    />
  );
}
