import { useState } from "react";
import { useApp } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { ErrorNote } from "../../ui/data/async-content.js";
import { useAction } from "../../ui/data/use-action.js";
import { Panel } from "../../ui/forms/settings-page.js";
import { Button } from "../../ui/look/button.js";
import { Secret } from "../../ui/look/secret.js";

/** The address at which a calendar program reads the events that the account is interested in. */
export function CalendarPanel() {
  const { client } = useApp();
  const labels = texts.notifications.calendar;
  const [url, setUrl] = useState<string | null>(null);
  const make = useAction(async () => setUrl((await client.scheduledEvents.makeCalendar()).url));
  return (
    <Panel title={labels.title} hint={labels.explanation}>
      {url === null ? null : <Secret key={url} label={labels.address} hint={labels.addressHint} value={url} />}
      <ErrorNote error={make.error} />
      <Button kind="quiet" disabled={make.isBusy} onClick={() => void make.run()}>
        {labels.make}
      </Button>
    </Panel>
  );
}
