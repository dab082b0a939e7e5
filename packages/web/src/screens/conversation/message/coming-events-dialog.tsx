import { useCallback } from "react";
import { Link } from "wouter";
import { useApp } from "../../../state/app/use-app.js";
import { useGatewayEvent } from "../../../state/app/use-gateway-event.js";
import { texts } from "../../../texts/texts.js";
import { useData } from "../../../ui/data/use-data.js";
import { AsyncRows } from "../../../ui/lists/async-rows.js";
import { Row } from "../../../ui/lists/rows.js";
import { Dialog } from "../../../ui/overlays/dialog.js";
import { showMoment } from "../times.js";

/** The coming events of a server, the soonest first, each with the way to its message. */
export function ComingEventsDialog({ serverId, onClose }: { serverId: string; onClose: () => void }) {
  const labels = texts.conversation.event;
  const { client } = useApp();
  const events = useData(
    useCallback((signal) => client.scheduledEvents.list(serverId, { signal }), [client, serverId]),
  );
  const isListed = (eventId: string) => events.value?.some(({ id }) => id === eventId) === true;
  useGatewayEvent("EVENT_UPDATE", ({ id }) => {
    if (isListed(id)) void events.reload();
  });
  useGatewayEvent("EVENT_DELETE", ({ id }) => {
    if (isListed(id)) void events.reload();
  });
  return (
    <Dialog open onOpenChange={onClose} title={labels.coming}>
      <AsyncRows data={events} label={labels.coming} empty={labels.noneComing}>
        {({ id, name, starts_at, place, interested_count: interested = 0, channel_id, message_id }) => (
          <Row
            key={id}
            title={
              <Link href={`/servers/${serverId}/channels/${channel_id}/${message_id}`} onClick={onClose}>
                <bdi>{name}</bdi>
              </Link>
            }
            detail={
              <>
                <time dateTime={starts_at}>{labels.starts(showMoment(starts_at))}</time>
                {place === undefined ? null : (
                  <>
                    {" · "}
                    <bdi>{place}</bdi>
                  </>
                )}
                {interested === 0 ? null : ` · ${labels.interestedCount(interested)}`}
              </>
            }
          />
        )}
      </AsyncRows>
    </Dialog>
  );
}
