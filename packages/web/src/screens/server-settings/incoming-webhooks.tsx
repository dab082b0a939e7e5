import type { IncomingWebhook, IncomingWebhookWithToken } from "@parley/client";
import { useCallback, useState } from "react";
import { useApp, useAppState } from "../../state/app/use-app.js";
import { useSettingsUpdates } from "../../state/app/use-settings-updates.js";
import { texts } from "../../texts/texts.js";
import { ErrorNote } from "../../ui/data/async-content.js";
import { textOf } from "../../ui/data/form.js";
import { useAction } from "../../ui/data/use-action.js";
import { type Data, useData } from "../../ui/data/use-data.js";
import { ActionForm } from "../../ui/forms/action-form.js";
import { Choice, TextField } from "../../ui/forms/field.js";
import { Panel } from "../../ui/forms/settings-page.js";
import { AsyncRows } from "../../ui/lists/async-rows.js";
import { Row } from "../../ui/lists/rows.js";
import { Button } from "../../ui/look/button.js";
import { Secret } from "../../ui/look/secret.js";
import { RowMenu } from "../../ui/overlays/row-menu.js";
import type { ServerSectionProps } from "./section-props.js";

/** The incoming webhooks of the server. The address of one is shown once, and can be tried only then. */
export function IncomingWebhooksSection({ server }: ServerSectionProps) {
  const { client } = useApp();
  const labels = texts.serverSettings.incomingWebhooks;
  const channels = useAppState((state) => state.channels);
  const channelIds = useAppState((state) => state.channelIds[server.id]) ?? [];
  const [shown, setShown] = useState<IncomingWebhookWithToken | null>(null);
  const webhooks = useData(
    useCallback(
      async (signal) => (await client.incomingWebhooks.list(server.id, { signal })).webhooks,
      [client, server.id],
    ),
  );
  useSettingsUpdates(server.id, "webhooks", webhooks.reload);
  const create = useAction(async (form: FormData) => {
    const made = await client.incomingWebhooks.create(server.id, {
      name: textOf(form, "name"),
      channel_id: textOf(form, "channel"),
      avatar_url: textOf(form, "avatar"),
    });
    setShown(made);
    webhooks.set((all) => [...all.filter(({ id }) => id !== made.id), made]);
  });
  return (
    <>
      {shown === null ? null : <Address key={shown.token} webhook={shown} />}
      <AsyncRows data={webhooks} label={labels.title} empty={labels.none}>
        {(webhook) => (
          <WebhookRow
            key={webhook.id}
            webhook={webhook}
            serverId={server.id}
            channel={channels[webhook.channel_id]?.name}
            onAddress={setShown}
            set={webhooks.set}
          />
        )}
      </AsyncRows>
      <Panel title={labels.create}>
        <ActionForm action={create} submit={labels.create}>
          <TextField label={labels.name} name="name" maxLength={80} required />
          <Choice label={labels.channel} name="channel" required>
            {channelIds.map((id) => (
              <option key={id} value={id}>
                {channels[id]?.name}
              </option>
            ))}
          </Choice>
          <TextField label={labels.avatarUrl} name="avatar" type="url" maxLength={2048} />
        </ActionForm>
      </Panel>
    </>
  );
}

/** The address of an incoming webhook, and a way to try it. */
function Address({ webhook: { id, name, token, path } }: { webhook: IncomingWebhookWithToken }) {
  const { client } = useApp();
  const labels = texts.serverSettings.incomingWebhooks;
  const [isTested, setTested] = useState(false);
  const test = useAction(async () => {
    await client.incomingWebhooks.post(id, token, { content: labels.testMessage(name) });
    setTested(true);
  });
  return (
    <Panel title={name}>
      <Secret label={labels.address} hint={labels.addressHint} value={client.resolve(path)} />
      <ErrorNote error={test.error} />
      <Button disabled={test.isBusy} onClick={() => test.run()}>
        {labels.test}
      </Button>
      <p role="status">{isTested ? labels.tested : ""}</p>
    </Panel>
  );
}

function WebhookRow({
  webhook: { id, name },
  serverId,
  channel,
  onAddress,
  set,
}: {
  webhook: IncomingWebhook;
  serverId: string;
  /** Its name; undefined for one that the user does not see. */
  channel: string | undefined;
  onAddress: (shown: IncomingWebhookWithToken | null) => void;
  set: Data<IncomingWebhook[]>["set"];
}) {
  const { client } = useApp();
  const labels = texts.serverSettings.incomingWebhooks;
  return (
    <Row
      title={name}
      detail={channel === undefined ? "" : `#${channel}`}
      actions={
        <RowMenu
          name={name}
          actions={[
            {
              label: labels.rotate,
              question: {
                title: labels.rotateTitle,
                explanation: labels.rotateExplanation,
                onConfirm: async () => onAddress(await client.incomingWebhooks.rotateToken(serverId, id)),
              },
            },
            {
              label: labels.delete,
              danger: true,
              question: {
                title: labels.deleteTitle(name),
                explanation: labels.deleteExplanation,
                onConfirm: async () => {
                  await client.incomingWebhooks.delete(serverId, id);
                  onAddress(null);
                  set((all) => all.filter((known) => known.id !== id));
                },
              },
            },
          ]}
        />
      }
    />
  );
}
