import type { Channel } from "@parley/client";
import { useCallback, useState } from "react";
import { useSession } from "../../session/session.js";
import { useApp } from "../../state/use-app.js";
import { texts } from "../../texts/texts.js";
import { ActionForm } from "../../ui/action-form.js";
import { AsyncContent, Empty, ErrorNote } from "../../ui/async-content.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { Choice, TextField } from "../../ui/field.js";
import { textOf, textOrNull } from "../../ui/form.js";
import { RowMenu } from "../../ui/row-menu.js";
import { Row, Rows, Tag } from "../../ui/rows.js";
import { Panel } from "../../ui/settings-page.js";
import { Sortable, useSortableRow } from "../../ui/sortable.js";
import { useAction } from "../../ui/use-action.js";
import { useData } from "../../ui/use-data.js";
import { ChannelForm } from "./channel-form.js";
import { type ChannelEntry, dropTarget } from "./channel-order.js";
import { ChannelOverrides } from "./channel-overrides.js";
import type { ServerSectionProps } from "./section-props.js";
import styles from "./server-settings.module.css";
import { useChannelOrder } from "./use-channel-order.js";

/** The channels that the user may view, in their order, which dragging changes. */
export function ChannelsSection({ server }: ServerSectionProps) {
  const { client } = useSession();
  const { servers } = useApp();
  const labels = texts.serverSettings.channels;
  const channels = useData(useCallback((signal) => client.channels.list(server.id, { signal }), [client, server.id]));
  const reload = async () => {
    await channels.reload();
    await servers.readRevealed(server.id);
  };
  const create = useAction(async (form: FormData) => {
    await client.channels.create(server.id, {
      name: textOf(form, "name"),
      type: textOf(form, "type") === "voice" ? "voice" : "text",
      category: textOrNull(form, "category"),
      topic: textOrNull(form, "topic"),
    });
    await reload();
  });
  const { entries, move, error } = useChannelOrder(server.id, channels);
  const categories = entries.flatMap((entry) => (entry.kind === "category" ? [entry] : []));
  return (
    <>
      <datalist id="categories">
        {categories.map(({ id, name }) => (
          <option key={id} value={name} />
        ))}
      </datalist>
      <ErrorNote error={error} />
      <AsyncContent data={channels} shape="rows">
        {({ length }) =>
          length === 0 ? (
            <Empty>{labels.empty}</Empty>
          ) : (
            <Sortable items={entries} onMove={move} dropTarget={(id, overId) => dropTarget(entries, id, overId)}>
              <Rows label={labels.title}>
                {entries.map((entry) =>
                  entry.kind === "category" ? (
                    <CategoryRow key={entry.id} entry={entry} />
                  ) : (
                    <ChannelRow key={entry.id} channel={entry.channel} onChange={reload} />
                  ),
                )}
              </Rows>
            </Sortable>
          )
        }
      </AsyncContent>
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

function ChannelRow({ channel, onChange }: { channel: Channel; onChange: () => Promise<void> }) {
  const { client } = useSession();
  const labels = texts.serverSettings.channels;
  const [open, setOpen] = useState<"edit" | "permissions" | null>(null);
  const close = () => setOpen(null);
  const sortable = useSortableRow(channel, isChannelTarget);
  return (
    <Row
      {...sortable}
      title={
        <>
          {channel.name}
          {channel.type === "voice" ? <Tag>{labels.voice}</Tag> : null}
        </>
      }
      detail={channel.topic ?? ""}
      actions={
        <>
          <Button kind="quiet" onClick={() => setOpen("edit")}>
            {labels.edit}
          </Button>
          <RowMenu
            name={channel.name}
            actions={[
              { label: labels.permissions, onSelect: () => setOpen("permissions") },
              {
                label: labels.delete,
                danger: true,
                question: {
                  title: labels.deleteTitle(channel.name),
                  explanation: labels.deleteExplanation,
                  onConfirm: async () => {
                    await client.channels.delete(channel.id);
                    await onChange();
                  },
                },
              },
            ]}
          />
          <Dialog open={open === "edit"} onOpenChange={close} title={labels.editTitle(channel.name)}>
            <ChannelForm channel={channel} onCancel={close} onSaved={onChange} />
          </Dialog>
          <Dialog
            open={open === "permissions"}
            onOpenChange={close}
            title={labels.permissionsOf(channel.name)}
            description={labels.permissionsHint}
            wide
          >
            <ChannelOverrides channel={channel} />
          </Dialog>
        </>
      }
    />
  );
}
