import { useCallback } from "react";
import { useApp } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { AsyncContent } from "../../ui/data/async-content.js";
import { useData } from "../../ui/data/use-data.js";
import { Panel } from "../../ui/forms/settings-page.js";
import { StorageBar } from "../storage/storage-bar.js";

/** How much room the files of the account take, with those of its bots. */
export function StorageSection() {
  const { client } = useApp();
  const use = useData(useCallback((signal) => client.users.storage({ signal }), [client]));
  return (
    <Panel title={texts.account.storage.title}>
      <AsyncContent data={use}>{(known) => <StorageBar use={known} />}</AsyncContent>
    </Panel>
  );
}
