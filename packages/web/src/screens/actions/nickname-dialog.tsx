import { useCallback } from "react";
import { useApp, useAppState } from "../../state/app/use-app.js";
import { useRead } from "../../state/app/use-read.js";
import { memberSince } from "../../state/community/member-events.js";
import { texts } from "../../texts/texts.js";
import { textOrNull } from "../../ui/data/form.js";
import { Loading } from "../../ui/data/loading.js";
import { EditForm } from "../../ui/forms/edit-form.js";
import { TextField } from "../../ui/forms/field.js";
import { Dialog } from "../../ui/overlays/dialog.js";

const nicknameMax = 32;

/** Changes the user's own nickname in a server, or that of a member. */
export function NicknameDialog({
  serverId,
  userId,
  onClose,
}: {
  serverId: string;
  userId: string;
  onClose: () => void;
}) {
  const labels = texts.shell.nickname;
  const { client, store, details } = useApp();
  const isMe = useAppState(({ me }) => me?.id === userId);
  const member = useAppState(({ members }) => members[serverId]?.[userId]);
  // The own membership of a server that was not opened yet.
  useRead(useCallback(() => details.readUser(userId, serverId), [details, userId, serverId]));
  const save = async (form: FormData) => {
    const body = { nickname: textOrNull(form, "nickname") };
    await store.change(
      () => (isMe ? client.members.updateMe(serverId, body) : client.members.update(serverId, userId, body)),
      (state, changed, since) => memberSince(state, { server_id: serverId, member: changed }, since),
    );
  };
  return (
    <Dialog open onOpenChange={onClose} title={isMe ? labels.change : labels.of(member?.username ?? "")}>
      {member === undefined ? (
        <Loading />
      ) : (
        <EditForm onClose={onClose} onSave={save}>
          <TextField
            label={labels.label}
            name="nickname"
            hint={labels.hint}
            maxLength={nicknameMax}
            defaultValue={member.nickname ?? ""}
            autoFocus
          />
        </EditForm>
      )}
    </Dialog>
  );
}
