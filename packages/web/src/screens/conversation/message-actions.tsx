import type { Message } from "@parley/client";
import { Copy, Ellipsis, Link2, MessagesSquare, Pencil, Pin, PinOff, Reply, Trash2 } from "lucide-react";
import { useCallback, useState } from "react";
import { onMessageDelete } from "../../state/message-events.js";
import { mayInChannel } from "../../state/permissions.js";
import { usePage, usePageState } from "../../state/use-page.js";
import { texts } from "../../texts/texts.js";
import { ErrorNote } from "../../ui/async-content.js";
import { Button, IconButton } from "../../ui/button.js";
import { Actions, Dialog } from "../../ui/dialog.js";
import { Menu } from "../../ui/menu.js";
import { useAction } from "../../ui/use-action.js";
import { useConversation } from "./context.js";
import { EmojiButton } from "./emoji-button.js";
import styles from "./message-actions.module.css";

/** What can be done with a message. */
export function MessageActions({ message }: { message: Message }) {
  const names = texts.conversation;
  const { client, details } = usePage();
  const { serverId, edit, reply, openThread } = useConversation();
  const { id, channel_id: channelId } = message;
  const isMine = usePageState((state) => state.me?.id === message.author_id);
  const mayManage = usePageState((state) => mayInChannel(state, channelId, "MANAGE_MESSAGES"));
  const mayReact = usePageState((state) => mayInChannel(state, channelId, "ADD_REACTIONS"));
  const maySend = usePageState((state) => mayInChannel(state, channelId, "SEND_MESSAGES"));
  const [isDeleting, setDeleting] = useState(false);
  const pin = useAction(
    useCallback(
      (isOn: boolean) => (isOn ? client.pins.add(channelId, id) : client.pins.remove(channelId, id)),
      [client, channelId, id],
    ),
  );
  const isReply = message.thread_id !== null;
  const copy = (text: string) => void navigator.clipboard.writeText(text);
  return (
    <div className={styles.bar} role="toolbar" aria-label={names.actions}>
      {mayReact ? (
        <EmojiButton
          label={names.addReaction}
          onPick={(emoji) => void details.react(channelId, id, emoji.reaction, true).catch(() => undefined)}
        />
      ) : null}
      {maySend && !isReply && openThread !== null ? (
        <>
          <IconButton label={names.reply} onClick={() => reply(id)}>
            <Reply size={18} aria-hidden />
          </IconButton>
          <IconButton label={names.thread} onClick={() => openThread(id)}>
            <MessagesSquare size={18} aria-hidden />
          </IconButton>
        </>
      ) : null}
      {isMine && message.poll === null && message.event === null ? (
        <IconButton label={names.edit} onClick={() => edit(id)}>
          <Pencil size={17} aria-hidden />
        </IconButton>
      ) : null}
      <Menu
        trigger={
          <IconButton label={names.more}>
            <Ellipsis size={18} aria-hidden />
          </IconButton>
        }
        items={[
          isReply
            ? null
            : {
                label: names.copyLink,
                icon: <Link2 size={16} aria-hidden />,
                onSelect: () => copy(`${location.origin}/app/servers/${serverId}/channels/${channelId}/${id}`),
              },
          { label: names.copyText, icon: <Copy size={16} aria-hidden />, onSelect: () => copy(message.content) },
          mayManage && !isReply
            ? {
                label: message.pinned ? names.unpin : names.pin,
                icon: message.pinned ? <PinOff size={16} aria-hidden /> : <Pin size={16} aria-hidden />,
                onSelect: () => void pin.run(!message.pinned),
              }
            : null,
          isMine || mayManage
            ? {
                label: names.remove,
                icon: <Trash2 size={16} aria-hidden />,
                danger: true,
                onSelect: () => setDeleting(true),
              }
            : null,
        ]}
      />
      <DeleteDialog message={message} open={isDeleting} onOpenChange={setDeleting} />
    </div>
  );
}

function DeleteDialog({
  message,
  open,
  onOpenChange,
}: {
  message: Message;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const names = texts.conversation;
  const { client, store } = usePage();
  const remove = useAction(
    useCallback(async () => {
      await client.messages.delete(message.id);
      store.setState((state) => onMessageDelete(state, message));
    }, [client, store, message]),
  );
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={names.removeTitle} description={names.removeExplanation}>
      <p className={styles.quoted} dir="auto">
        {message.content.slice(0, 300)}
      </p>
      <ErrorNote error={remove.error} />
      <Actions>
        <Button kind="quiet" onClick={() => onOpenChange(false)}>
          {texts.common.cancel}
        </Button>
        <Button kind="danger" disabled={remove.isBusy} onClick={() => void remove.run()}>
          {names.remove}
        </Button>
      </Actions>
    </Dialog>
  );
}
