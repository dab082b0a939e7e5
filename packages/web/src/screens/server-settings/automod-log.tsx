import { excerpt } from "@parley/message-text";
import { useCallback } from "react";
import { useApp } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { useData } from "../../ui/data/use-data.js";
import { AsyncRows } from "../../ui/lists/async-rows.js";
import { Row, Tag } from "../../ui/lists/rows.js";
import { showTime } from "../../ui/look/show.js";
import { AccountName } from "../profile/account-name.js";

/** Characters of a message that are shown. */
const contentMax = 300;

/** The log of auto-moderation, newest first. */
export function AutomodLog({ serverId }: { serverId: string }) {
  const { client } = useApp();
  const labels = texts.serverSettings.automod;
  const log = useData(useCallback((signal) => client.automod.log(serverId, { signal }), [client, serverId]));
  return (
    <AsyncRows data={log} label={labels.log} empty={labels.noLog}>
      {(entry) => (
        <Row
          key={entry.id}
          title={
            <>
              <AccountName userId={entry.user_id ?? ""} username={entry.username} />
              <Tag>{{ ...labels.rules, ...labels.triggers }[entry.rule_type]}</Tag>
              <Tag tone="danger">{labels.actions[entry.action_taken]}</Tag>
            </>
          }
          detail={`${showTime(entry.created_at)} · ${entry.matched_term ?? ""} ${excerpt(entry.message_content, contentMax)}`}
        />
      )}
    </AsyncRows>
  );
}
