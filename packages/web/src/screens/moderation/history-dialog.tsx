import type { HistoryEntry } from "@parley/client";
import { excerpt } from "@parley/message-text";
import { useCallback } from "react";
import { useApp, useAppState } from "../../state/app/use-app.js";
import { useGatewayEvent } from "../../state/app/use-gateway-event.js";
import { texts } from "../../texts/texts.js";
import { ErrorNote } from "../../ui/data/async-content.js";
import { textOf } from "../../ui/data/form.js";
import { useAction } from "../../ui/data/use-action.js";
import { useData } from "../../ui/data/use-data.js";
import { ActionForm } from "../../ui/forms/action-form.js";
import { TextArea } from "../../ui/forms/field.js";
import { AsyncRows } from "../../ui/lists/async-rows.js";
import { Row, Tag } from "../../ui/lists/rows.js";
import { showTime } from "../../ui/look/show.js";
import { Dialog } from "../../ui/overlays/dialog.js";
import { RowMenu } from "../../ui/overlays/row-menu.js";
import { UserName } from "../profile/user-name.js";

const pageSize = 50;
/** Characters of a message that are shown. */
const saidMax = 300;

/** The actions that concern a user, and a form for a note. */
export function HistoryDialog({
  serverId,
  userId,
  username,
  onClose,
}: {
  serverId: string;
  userId: string;
  username: string;
  onClose: () => void;
}) {
  const { client } = useApp();
  const labels = texts.moderation;
  const history = useData(
    useCallback(
      (signal) => client.moderation.history(serverId, userId, { limit: pageSize }, { signal }),
      [client, serverId, userId],
    ),
  );
  // Notes of others have no event; they are read when the dialog is opened.
  const readIfAbout = (event: { server_id: string; user_id: string }) => {
    if (event.server_id === serverId && event.user_id === userId) void history.reload();
  };
  useGatewayEvent("MEMBER_KICK", readIfAbout);
  useGatewayEvent("MEMBER_BAN", readIfAbout);
  useGatewayEvent("MEMBER_UNBAN", readIfAbout);
  useGatewayEvent("MEMBER_TIMEOUT", readIfAbout);
  useGatewayEvent("MEMBER_TIMEOUT_REMOVE", readIfAbout);
  const older = useAction((last: HistoryEntry) =>
    history.extend(async () => {
      const page = await client.moderation.history(serverId, userId, { limit: pageSize, before: last.id });
      return (entries) => [...entries, ...page];
    }),
  );
  const add = useAction(async (form: FormData) => {
    const note = await client.moderation.addNote(serverId, userId, { text: textOf(form, "text").trim() });
    history.set((entries) => [note, ...entries]);
  });
  const remove = useAction(async (noteId: string) => {
    await client.moderation.deleteNote(serverId, userId, noteId);
    history.set((entries) => entries.filter(({ id }) => id !== noteId));
  });
  const me = useAppState((state) => state.me?.id);
  const isOwner = useAppState((state) => state.servers.find(({ id }) => id === serverId)?.owner_id === state.me?.id);
  return (
    <Dialog open onOpenChange={onClose} title={labels.historyOf(username)} description={labels.historyHint} wide>
      <ActionForm action={add} submit={labels.noteSave} kind="quiet">
        <TextArea label={labels.notes} name="text" maxLength={2000} required />
      </ActionForm>
      <ErrorNote error={remove.error} />
      <AsyncRows
        data={history}
        label={labels.history}
        empty={labels.historyNone}
        more={{ label: labels.historyOlder, pageSize, action: older }}
      >
        {(entry) => (
          <Row
            key={entry.id}
            title={
              <>
                <Tag>{labels.types[entry.type]}</Tag>
                <span dir="auto">{entry.reason ?? ""}</span>
              </>
            }
            detail={
              <>
                {entry.actor_id === null ? null : <UserName userId={entry.actor_id} />}
                {` ${showTime(entry.created_at)} `}
                <span dir="auto">{saidIn(entry)}</span>
              </>
            }
            actions={
              entry.type === "note" && (isOwner || entry.actor_id === me) ? (
                <RowMenu
                  name={labels.types.note}
                  actions={[{ label: labels.noteDelete, danger: true, onSelect: () => void remove.run(entry.id) }]}
                />
              ) : undefined
            }
          />
        )}
      </AsyncRows>
    </Dialog>
  );
}

/** The text of the message that the entry is about. */
function saidIn({ details }: HistoryEntry): string {
  const said = details.content ?? details.message_content;
  return typeof said === "string" ? excerpt(said, saidMax) : "";
}
