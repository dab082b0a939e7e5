import type { Webhook, WebhookDelivery } from "@parley/client";
import { useCallback, useState } from "react";
import { useApp } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { ErrorNote } from "../../ui/data/async-content.js";
import { useAction } from "../../ui/data/use-action.js";
import { useData } from "../../ui/data/use-data.js";
import { AsyncRows } from "../../ui/lists/async-rows.js";
import { Row, Tag } from "../../ui/lists/rows.js";
import { Button } from "../../ui/look/button.js";
import { showTime } from "../../ui/look/show.js";

/** The latest deliveries of a webhook, each with a button to repeat it, and a ping. */
export function WebhookDeliveries({ webhook }: { webhook: Webhook }) {
  const { client } = useApp();
  const labels = texts.serverSettings.webhooks;
  const { id, server_id: serverId } = webhook;
  const [isPinged, setPinged] = useState(false);
  const deliveries = useData(
    useCallback(
      async (signal) => (await client.webhooks.deliveries(serverId, id, { signal })).deliveries,
      [client, serverId, id],
    ),
  );
  const ping = useAction(async () => {
    await client.webhooks.test(serverId, id);
    setPinged(true);
    await deliveries.reload();
  });
  const redeliver = useAction(async (deliveryId: string) => {
    await client.webhooks.redeliver(serverId, id, deliveryId);
    await deliveries.reload();
  });
  return (
    <>
      <Button kind="quiet" disabled={ping.isBusy} onClick={() => ping.run()}>
        {labels.ping}
      </Button>
      <output>{isPinged ? ` ${labels.pinged}` : ""}</output>
      <ErrorNote error={ping.error ?? redeliver.error} />
      <AsyncRows data={deliveries} label={labels.deliveries} empty={labels.noDeliveries}>
        {(delivery) => (
          <Row
            key={delivery.id}
            title={
              <>
                {delivery.event}
                <Tag tone={delivery.status === "delivered" ? "success" : "plain"}>{labels.status[delivery.status]}</Tag>
              </>
            }
            detail={outcomeOf(delivery)}
            actions={
              <Button kind="quiet" disabled={redeliver.isBusy} onClick={() => redeliver.run(delivery.id)}>
                {labels.redeliver}
              </Button>
            }
          />
        )}
      </AsyncRows>
    </>
  );
}

const outcomeOf = (delivery: WebhookDelivery): string =>
  [
    showTime(delivery.created_at),
    texts.serverSettings.webhooks.attempts(delivery.attempts),
    delivery.response_status,
    delivery.duration_ms === null ? null : `${delivery.duration_ms} ms`,
    delivery.error,
  ]
    .filter((part) => part !== null)
    .join(" · ");
