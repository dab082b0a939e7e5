import type { DispatchEvents, SavedPage } from "@parley/client";
import { useCallback } from "react";
import { useApp, useAppState } from "../../state/app/use-app.js";
import { pageSize, useEventPages } from "../../state/app/use-event-pages.js";
import { nameIn } from "../../state/people/names.js";
import { errorText } from "../../texts/error-text.js";
import { texts } from "../../texts/texts.js";
import { AsyncRows } from "../../ui/lists/async-rows.js";
import { RowMenu } from "../../ui/overlays/row-menu.js";
import { useNotice } from "../../ui/page/notice.js";
import { useOpenDialog } from "../actions/open-dialog.js";
import { UserAvatar } from "../profile/user-avatar.js";
import styles from "./inbox.module.css";
import { KeptRow } from "./kept-row.js";

type SavedMessage = SavedPage["saved"][number];

const events: readonly (keyof DispatchEvents)[] = [
  "SAVED_UPDATE",
  "MESSAGE_UPDATE",
  "MESSAGE_DELETE",
  "DM_MESSAGE_UPDATE",
  "DM_MESSAGE_DELETE",
];
const idOf = ({ message }: SavedMessage) => message.id;

/** The messages that the user keeps, the one saved last first. */
export function SavedList() {
  const labels = texts.inbox;
  const { client } = useApp();
  const { data, more } = useEventPages(
    useCallback(
      async (query, signal) => (await client.saved.list(query, signal === undefined ? {} : { signal })).saved,
      [client],
    ),
    events,
    idOf,
  );
  return (
    <AsyncRows
      data={data}
      label={labels.tabs.saved}
      empty={labels.saved.empty}
      more={{ label: labels.saved.more, action: more, pageSize }}
    >
      {(item) => <SavedRow key={item.message.id} item={item} />}
    </AsyncRows>
  );
}

function SavedRow({ item: { message, note } }: { item: SavedMessage }) {
  const labels = texts.inbox.saved;
  const { saved } = useApp();
  const open = useOpenDialog((dialogs) => dialogs.open);
  const say = useNotice((notice) => notice.show);
  const { id, author, author_id, channel_id, created_at } = message;
  const serverId = "server_id" in message ? (message.server_id ?? null) : null;
  const known = useAppState((state) => (author_id === null ? undefined : nameIn(state, serverId, author_id)));
  const name = author?.nickname ?? known ?? author?.username ?? texts.conversation.deletedAccount;
  return (
    <KeptRow
      head={name}
      picture={<UserAvatar name={author?.username ?? name} url={author?.avatar_url ?? null} size={36} />}
      place={{ channelId: channel_id, messageId: id }}
      message={message}
      note={
        note === null ? null : (
          <p className={styles.note} dir="auto">
            {note}
          </p>
        )
      }
      time={created_at}
      actions={
        <RowMenu
          name={name}
          actions={[
            { label: labels.editNote, onSelect: () => open({ kind: "note", messageId: id, note }) },
            {
              label: labels.drop,
              onSelect: () => void saved.keep(id, false).catch((error: unknown) => say(errorText(error))),
            },
          ]}
        />
      }
    />
  );
}
