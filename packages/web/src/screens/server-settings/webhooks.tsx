import type { Webhook } from "@parley/client";
import { useCallback, useState } from "react";
import { useApp } from "../../state/app/use-app.js";
import { useSettingsUpdates } from "../../state/app/use-settings-updates.js";
import { texts } from "../../texts/texts.js";
import { ErrorNote } from "../../ui/data/async-content.js";
import { textOf } from "../../ui/data/form.js";
import { useAction } from "../../ui/data/use-action.js";
import { type Data, useData } from "../../ui/data/use-data.js";
import { ActionForm } from "../../ui/forms/action-form.js";
import { Checkbox, TextField } from "../../ui/forms/field.js";
import { Panel } from "../../ui/forms/settings-page.js";
import { AsyncRows } from "../../ui/lists/async-rows.js";
import { Row, Tag } from "../../ui/lists/rows.js";
import { Button } from "../../ui/look/button.js";
import { Secret } from "../../ui/look/secret.js";
import { showTime } from "../../ui/look/show.js";
import { Dialog } from "../../ui/overlays/dialog.js";
import { RowMenu } from "../../ui/overlays/row-menu.js";
import type { ServerSectionProps } from "./section-props.js";
import { WebhookDeliveries } from "./webhook-deliveries.js";

type EventType = Webhook["event_types"][number];

const eventTypes: readonly EventType[] = [
  "message.created",
  "message.updated",
  "message.deleted",
  "member.joined",
  "member.left",
];

/** The webhooks of the server, with their deliveries. */
export function WebhooksSection({ server }: ServerSectionProps) {
  const { client } = useApp();
  const labels = texts.serverSettings.webhooks;
  const [shown, setShown] = useState<{ webhook: Webhook; secret: string } | null>(null);
  const webhooks = useData(
    useCallback(async (signal) => (await client.webhooks.list(server.id, { signal })).webhooks, [client, server.id]),
  );
  useSettingsUpdates(server.id, "webhooks", webhooks.reload);
  const create = useAction(async (form: FormData) => {
    const made = await client.webhooks.create(server.id, {
      name: textOf(form, "name"),
      url: textOf(form, "url"),
      event_types: eventTypes.filter((type) => form.getAll("event").includes(type)),
    });
    setShown(made);
    webhooks.set((all) => [...all.filter(({ id }) => id !== made.webhook.id), made.webhook]);
  });
  return (
    <>
      {shown === null ? null : (
        <Panel title={shown.webhook.name}>
          <Secret label={labels.secret} hint={labels.secretHint} value={shown.secret} />
        </Panel>
      )}
      <AsyncRows data={webhooks} label={labels.title} empty={labels.none}>
        {(webhook) => <WebhookRow key={webhook.id} webhook={webhook} onSecret={setShown} set={webhooks.set} />}
      </AsyncRows>
      <Panel title={labels.create}>
        <ActionForm action={create} submit={labels.create}>
          <TextField label={labels.name} name="name" maxLength={100} required />
          <TextField label={labels.url} name="url" type="url" maxLength={2000} required />
          <fieldset>
            <legend>{labels.events}</legend>
            {eventTypes.map((type) => (
              <Checkbox key={type} label={labels.eventNames[type]} name="event" value={type} />
            ))}
          </fieldset>
        </ActionForm>
      </Panel>
    </>
  );
}

function WebhookRow({
  webhook,
  onSecret,
  set,
}: {
  webhook: Webhook;
  onSecret: (shown: { webhook: Webhook; secret: string }) => void;
  set: Data<Webhook[]>["set"];
}) {
  const { client } = useApp();
  const labels = texts.serverSettings.webhooks;
  const [isOpen, setOpen] = useState(false);
  const { id, server_id: serverId } = webhook;
  const toggle = useAction(async () => {
    const changed = await client.webhooks.update(serverId, id, { enabled: !webhook.enabled });
    set((all) => all.map((known) => (known.id === id ? changed : known)));
  });
  const notes = [
    webhook.url,
    ...(webhook.delivery_failures === 0 ? [] : [labels.failures(webhook.delivery_failures)]),
    ...(webhook.last_used_at === null ? [] : [labels.lastUsed(showTime(webhook.last_used_at))]),
  ];
  return (
    <Row
      title={
        <>
          {webhook.name}
          <Tag tone={webhook.enabled ? "success" : "danger"}>{webhook.enabled ? labels.enabled : labels.disabled}</Tag>
        </>
      }
      detail={notes.join(" · ")}
      actions={
        <>
          <ErrorNote error={toggle.error} />
          <Button kind="quiet" disabled={toggle.isBusy} onClick={() => toggle.run()}>
            {webhook.enabled ? labels.turnOff : labels.turnOn}
          </Button>
          <RowMenu
            name={webhook.name}
            actions={[
              { label: labels.deliveries, onSelect: () => setOpen(true) },
              {
                label: labels.rotate,
                question: {
                  title: labels.rotateTitle,
                  explanation: labels.rotateExplanation,
                  onConfirm: async () => onSecret(await client.webhooks.rotateSecret(serverId, id)),
                },
              },
              {
                label: labels.delete,
                danger: true,
                question: {
                  title: labels.deleteTitle(webhook.name),
                  explanation: labels.deleteExplanation,
                  onConfirm: async () => {
                    await client.webhooks.delete(serverId, id);
                    set((all) => all.filter((known) => known.id !== id));
                  },
                },
              },
            ]}
          />
          <Dialog open={isOpen} onOpenChange={setOpen} title={labels.deliveriesOf(webhook.name)} wide>
            <WebhookDeliveries webhook={webhook} />
          </Dialog>
        </>
      }
    />
  );
}
