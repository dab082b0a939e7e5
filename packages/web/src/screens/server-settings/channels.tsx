import type { Channel } from "@parley/client";
import { useCallback, useState } from "react";
import { useSession } from "../../session/session.js";
import { texts } from "../../texts/texts.js";
import { ActionForm } from "../../ui/action-form.js";
import { AsyncRows } from "../../ui/async-rows.js";
import { Button } from "../../ui/button.js";
import { ConfirmButton } from "../../ui/confirm.js";
import { Dialog } from "../../ui/dialog.js";
import { Choice, TextField } from "../../ui/field.js";
import { textOf, textOrNull } from "../../ui/form.js";
import { Row, Tag } from "../../ui/rows.js";
import { Panel } from "../../ui/settings-page.js";
import { useAction } from "../../ui/use-action.js";
import { useData } from "../../ui/use-data.js";
import { ChannelForm } from "./channel-form.js";
import { ChannelOverrides } from "./channel-overrides.js";
import type { ServerSectionProps } from "./section-props.js";
import styles from "./server-settings.module.css";

/** The channels that the user may view, in their order. */
export function ChannelsSection({ server }: ServerSectionProps) {
  const { client } = useSession();
  const names = texts.serverSettings.channels;
  const channels = useData(useCallback((signal) => client.channels.list(server.id, { signal }), [client, server.id]));
  const create = useAction(async (form: FormData) => {
    await client.channels.create(server.id, {
      name: textOf(form, "name"),
      type: textOf(form, "type") === "voice" ? "voice" : "text",
      category: textOrNull(form, "category"),
      topic: textOrNull(form, "topic"),
    });
    await channels.reload();
  });
  const categories = [...new Set((channels.value ?? []).flatMap(({ category }) => category ?? []))];
  return (
    <>
      <datalist id="categories">
        {categories.map((category) => (
          <option key={category} value={category} />
        ))}
      </datalist>
      <AsyncRows data={channels} label={names.title} empty={names.empty}>
        {(channel) => <ChannelRow key={channel.id} channel={channel} onChange={channels.reload} />}
      </AsyncRows>
      <Panel title={names.create}>
        <ActionForm action={create} submit={names.create}>
          <div className={styles.columns}>
            <TextField label={names.name} name="name" maxLength={100} required />
            <Choice label={names.type} name="type">
              <option value="text">{names.text}</option>
              <option value="voice">{names.voice}</option>
            </Choice>
            <TextField label={names.category} name="category" maxLength={100} list="categories" />
          </div>
          <TextField label={names.topic} name="topic" maxLength={1024} />
        </ActionForm>
      </Panel>
    </>
  );
}

function ChannelRow({ channel, onChange }: { channel: Channel; onChange: () => Promise<void> }) {
  const { client } = useSession();
  const names = texts.serverSettings.channels;
  const [open, setOpen] = useState<"edit" | "permissions" | null>(null);
  const close = () => setOpen(null);
  return (
    <Row
      title={
        <>
          {channel.name}
          {channel.type === "voice" ? <Tag>{names.voice}</Tag> : null}
        </>
      }
      detail={[channel.category, channel.topic].filter((part) => part !== null).join(" · ")}
      actions={
        <>
          <Button kind="quiet" onClick={() => setOpen("edit")}>
            {names.edit}
          </Button>
          <Button kind="quiet" onClick={() => setOpen("permissions")}>
            {names.permissions}
          </Button>
          <ConfirmButton
            label={names.delete}
            title={names.deleteTitle(channel.name)}
            explanation={names.deleteExplanation}
            onConfirm={async () => {
              await client.channels.delete(channel.id);
              await onChange();
            }}
          />
          <Dialog open={open === "edit"} onOpenChange={close} title={names.editTitle(channel.name)}>
            <ChannelForm channel={channel} onCancel={close} onSaved={onChange} />
          </Dialog>
          <Dialog
            open={open === "permissions"}
            onOpenChange={close}
            title={names.permissionsOf(channel.name)}
            description={names.permissionsHint}
            wide
          >
            <ChannelOverrides channel={channel} />
          </Dialog>
        </>
      }
    />
  );
}
