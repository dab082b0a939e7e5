import type { DispatchEvents, InboxItem } from "@parley/client";
import { AlarmClock, CheckCheck } from "lucide-react";
import { useCallback, useState } from "react";
import { useApp, useAppState } from "../../state/app/use-app.js";
import { pageSize, useEventPages } from "../../state/app/use-event-pages.js";
import { unreadItems } from "../../state/inbox/inbox.js";
import { accountName, nameIn } from "../../state/people/names.js";
import { texts } from "../../texts/texts.js";
import { ErrorNote } from "../../ui/data/async-content.js";
import { useAction } from "../../ui/data/use-action.js";
import { Chips } from "../../ui/forms/chips.js";
import { AsyncRows } from "../../ui/lists/async-rows.js";
import { Button } from "../../ui/look/button.js";
import { UserAvatar } from "../profile/user-avatar.js";
import styles from "./inbox.module.css";
import { KeptRow } from "./kept-row.js";

const kinds = ["all", "mention", "reply", "thread", "reaction", "invite", "reminder", "poll"] as const;
type Kind = (typeof kinds)[number];
/** What makes, removes and reads items. */
const events: readonly (keyof DispatchEvents)[] = ["INBOX_UPDATE", "READ_STATE_UPDATE"];
const idOf = ({ id }: InboxItem) => id;

/** What concerns the user, newest first. */
export function InboxList() {
  const labels = texts.inbox;
  const { client } = useApp();
  const [kind, setKind] = useState<Kind>("all");
  const { data, more } = useEventPages(
    useCallback(
      async (query, signal) => {
        const wanted = kind === "all" ? query : { ...query, kinds: kind };
        return (await client.inbox.list(wanted, signal === undefined ? {} : { signal })).items;
      },
      [client, kind],
    ),
    events,
    idOf,
  );
  return (
    <>
      <Chips
        label={labels.filter}
        choices={kinds.map((each) => ({ value: each, label: labels.kinds[each] }))}
        value={kind}
        onChoose={setKind}
      />
      <MarkAll isShown={data.value?.some(({ read }) => !read) === true} />
      <AsyncRows
        key={kind}
        data={data}
        label={labels.title}
        empty={kind === "all" ? labels.empty : labels.noneOfKind}
        more={{ label: labels.more, action: more, pageSize }}
      >
        {(item) => <ItemRow key={item.id} item={item} />}
      </AsyncRows>
    </>
  );
}

/** Marks all items as read; only some kinds of them are counted. */
function MarkAll({ isShown }: { isShown: boolean }) {
  const { client } = useApp();
  const unread = useAppState(unreadItems);
  const mark = useAction(useCallback(() => client.inbox.markRead(), [client]));
  if (!isShown && unread === 0) return null;
  return (
    <div className={styles.markAll}>
      <span role="status">{unread === 0 ? null : texts.inbox.unread(unread)}</span>
      <Button kind="quiet" disabled={mark.isBusy} onClick={() => mark.run()}>
        <CheckCheck size={16} aria-hidden />
        {texts.inbox.markAll}
      </Button>
      <ErrorNote error={mark.error} />
    </div>
  );
}

function ItemRow({
  item: { kind, by, message, server_id, channel_id, reminder, created_at, read },
}: {
  item: InboxItem;
}) {
  const labels = texts.inbox;
  const name = useAppState((state) =>
    by === null ? texts.conversation.deletedAccount : (nameIn(state, server_id, by.id) ?? accountName(state, by)),
  );
  return (
    <KeptRow
      head={kind === "reminder" || kind === "poll" ? labels.heads[kind] : labels.heads[kind](name)}
      picture={
        kind === "reminder" ? (
          <AlarmClock size={36} strokeWidth={1.5} aria-hidden />
        ) : (
          <UserAvatar name={by?.username ?? name} url={by?.avatar_url ?? null} size={36} />
        )
      }
      place={{ channelId: channel_id, messageId: message?.id ?? null }}
      message={message}
      text={reminder?.text ?? null}
      time={created_at}
      isUnread={!read}
    />
  );
}
