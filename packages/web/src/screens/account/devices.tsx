import type { NotificationSettings } from "@parley/client";
import { useCallback, useState } from "react";
import { pushId } from "../../device/device-storage.js";
import { useApp } from "../../state/app/use-app.js";
import { isPushPossible } from "../../state/notices/push.js";
import { texts } from "../../texts/texts.js";
import { AsyncContent, ErrorNote } from "../../ui/data/async-content.js";
import { useAction } from "../../ui/data/use-action.js";
import { useData } from "../../ui/data/use-data.js";
import { Checkbox } from "../../ui/forms/field.js";
import { Panel } from "../../ui/forms/settings-page.js";
import { Row, Rows, Tag } from "../../ui/lists/rows.js";
import { Button } from "../../ui/look/button.js";
import { showTime } from "../../ui/look/show.js";

/** The devices that get notices while no page is open, and whether this one is among them. */
export function DevicesPanel({ settings }: { settings: NotificationSettings["push"] }) {
  const labels = texts.notifications.push;
  const { client, notifications, push } = useApp();
  const [ownId, setOwnId] = useState(pushId.read);
  const devices = useData(useCallback(async (signal) => (await client.push.list({ signal })).subscriptions, [client]));
  const isHere = devices.value?.some(({ id }) => id === ownId) === true;
  const act = useAction(async (action: () => Promise<unknown>) => {
    try {
      await action();
    } finally {
      setOwnId(pushId.read());
      await devices.reload();
    }
  });
  const remove = (id: string) => act.run(() => (id === pushId.read() ? push.turnOff() : client.push.unsubscribe(id)));
  return (
    <Panel title={labels.title} hint={labels.explanation}>
      <Checkbox
        label={labels.enabled}
        checked={settings.enabled}
        onChange={({ currentTarget: { checked } }) =>
          act.run(() => notifications.change({ push: { enabled: checked } }))
        }
      />
      <Checkbox
        label={labels.content}
        hint={labels.contentHint}
        checked={settings.content}
        onChange={({ currentTarget: { checked } }) =>
          act.run(() => notifications.change({ push: { content: checked } }))
        }
      />
      {isHere ? null : isPushPossible() ? (
        <Button disabled={act.isBusy || devices.value === null} onClick={() => act.run(push.turnOn)}>
          {labels.notifyHere}
        </Button>
      ) : (
        <p>{labels.impossible}</p>
      )}
      <ErrorNote error={act.error} />
      <AsyncContent data={devices} shape="rows">
        {(all) => (
          <Rows label={labels.devices}>
            {all.map(({ id, label, created_at, last_used_at }) => (
              <Row
                key={id}
                title={
                  <>
                    <bdi>{label ?? labels.unnamed}</bdi>
                    {id === ownId ? <Tag tone="success">{labels.here}</Tag> : null}
                  </>
                }
                detail={
                  last_used_at === null
                    ? labels.added(showTime(created_at))
                    : texts.account.sessions.lastUsed(showTime(last_used_at))
                }
                actions={
                  <Button kind="quiet" disabled={act.isBusy} onClick={() => remove(id)}>
                    {labels.remove}
                  </Button>
                }
              />
            ))}
          </Rows>
        )}
      </AsyncContent>
    </Panel>
  );
}
