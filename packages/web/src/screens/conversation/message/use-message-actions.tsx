import type { DetailedMessage } from "@parley/client";
import {
  Copy,
  Flag,
  Forward,
  Link2,
  Link2Off,
  ListChecks,
  MessagesSquare,
  Pencil,
  Pin,
  PinOff,
  Reply,
  Smile,
  SmilePlus,
  TextQuote,
  Trash2,
} from "lucide-react";
import { mayInChannel } from "../../../state/access/permissions.js";
import { useApp, useAppState } from "../../../state/app/use-app.js";
import { onMessagePreviews } from "../../../state/conversations/message-events.js";
import { errorText } from "../../../texts/error-text.js";
import { texts } from "../../../texts/texts.js";
import { useNotice } from "../../../ui/page/notice.js";
import { useOpenDialog } from "../../actions/open-dialog.js";
import { useConversation } from "../context.js";
import { quote } from "../quoting.js";
import { useSelection } from "../selection/selection.js";
import type { MessageAction } from "./message-action.js";
import { useKeptActions } from "./use-kept-actions.js";

/** The user's actions on a message, for its bar, its menu and its sheet. */
export function useMessageActions(message: DetailedMessage): MessageAction[] {
  const labels = texts.conversation;
  const { client, store } = useApp();
  const { place, serverId, edit, remove, reply, openThread } = useConversation();
  const { id, channel_id: channelId } = message;
  const isMine = useAppState((state) => state.me?.id === message.author_id);
  const mayManage = useAppState((state) => mayInChannel(state, channelId, "MANAGE_MESSAGES"));
  const isInChannel = place.kind === "channel";
  const mayReact = useAppState((state) => !isInChannel || mayInChannel(state, channelId, "ADD_REACTIONS"));
  const maySend = useAppState((state) => mayInChannel(state, channelId, "SEND_MESSAGES"));
  const hasReactions = useAppState((state) => (state.reactions[id]?.length ?? 0) > 0);
  const open = useOpenDialog((dialogs) => dialogs.open);
  const beginSelection = useSelection((selection) => selection.begin);
  const say = useNotice((notice) => notice.show);
  const keptActions = useKeptActions(message);
  const isReply = message.thread_id !== null;
  const copy = (text: string) => void navigator.clipboard.writeText(text);
  const pin = () => {
    const sent = message.pinned ? client.pins.remove(channelId, id) : client.pins.add(channelId, id);
    sent.catch((error) => say(errorText(error)));
  };
  const removeCards = () => {
    const change = { channel_id: channelId, message_id: id, previews: [] };
    const removed = client.messages
      .removePreviews(id)
      .then(() => store.apply((state) => onMessagePreviews(state, change)));
    removed.catch((error) => say(errorText(error)));
  };
  const when = (isShown: boolean, action: MessageAction) => (isShown ? [action] : []);
  const hasThread = isInChannel && maySend && !isReply && openThread !== null;
  const path = isInChannel ? `/servers/${serverId}/channels/${channelId}` : `/dm/${channelId}`;
  return [
    ...when(mayReact, {
      shownIn: "react",
      label: labels.addReaction,
      icon: <SmilePlus size={18} aria-hidden />,
      onSelect: () => open({ kind: "react", channelId, messageId: id, serverId }),
    }),
    ...when(hasThread || !isInChannel, {
      shownIn: "button",
      label: labels.reply,
      icon: <Reply size={18} aria-hidden />,
      onSelect: () => reply(id),
    }),
    ...when(hasThread, {
      shownIn: "button",
      label: labels.thread,
      icon: <MessagesSquare size={18} aria-hidden />,
      onSelect: () => openThread?.(id),
    }),
    ...when(isMine && message.poll === null && message.event === null, {
      shownIn: "button",
      label: labels.edit,
      icon: <Pencil size={17} aria-hidden />,
      onSelect: () => edit(id),
    }),
    ...when(message.event !== null && (isMine || mayManage), {
      shownIn: "button",
      label: labels.event.edit,
      icon: <Pencil size={17} aria-hidden />,
      onSelect: () => {
        if (message.event !== null && serverId !== null) open({ kind: "edit event", event: message.event, serverId });
      },
    }),
    {
      shownIn: "menu",
      label: labels.copyLink,
      icon: <Link2 size={16} aria-hidden />,
      onSelect: () => copy(`${location.origin}/app${path}/${id}`),
    },
    ...when(message.content !== "", {
      shownIn: "menu",
      label: labels.copyText,
      icon: <Copy size={16} aria-hidden />,
      onSelect: () => copy(message.content),
    }),
    ...when(isInChannel && hasReactions, {
      shownIn: "menu",
      label: labels.reactors.show,
      icon: <Smile size={16} aria-hidden />,
      onSelect: () => serverId !== null && open({ kind: "reactions", channelId, messageId: id, serverId, emoji: null }),
    }),
    ...when(message.content !== "" && (!isInChannel || maySend), {
      shownIn: "menu",
      label: labels.quote,
      icon: <TextQuote size={16} aria-hidden />,
      // In a thread, which opens no other one, into its own composer.
      onSelect: () => quote(isInChannel && openThread === null ? (message.thread_id ?? id) : place.id, message.content),
    }),
    {
      shownIn: "menu",
      label: labels.forward.title,
      icon: <Forward size={16} aria-hidden />,
      onSelect: () => open({ kind: "forward", messageId: id, isDirect: !isInChannel }),
    },
    ...keptActions,
    ...when(isInChannel && mayManage && !isReply, {
      shownIn: "menu",
      label: message.pinned ? labels.unpin : labels.pin,
      icon: message.pinned ? <PinOff size={16} aria-hidden /> : <Pin size={16} aria-hidden />,
      onSelect: pin,
    }),
    ...when(isInChannel && mayManage && !isReply && openThread !== null, {
      shownIn: "menu",
      label: labels.select,
      icon: <ListChecks size={16} aria-hidden />,
      onSelect: () => beginSelection(channelId, id),
    }),
    ...when(isInChannel && (isMine || mayManage) && (message.previews ?? []).length > 0, {
      shownIn: "menu",
      label: labels.removeCards,
      icon: <Link2Off size={16} aria-hidden />,
      onSelect: removeCards,
    }),
    ...when(!isMine, {
      shownIn: "menu",
      label: texts.moderation.report.label,
      icon: <Flag size={16} aria-hidden />,
      onSelect: () => open({ kind: "report", of: isInChannel ? "message" : "directMessage", id, name: "" }),
    }),
    ...when(isMine || (isInChannel && mayManage), {
      shownIn: "menu",
      label: labels.remove,
      icon: <Trash2 size={16} aria-hidden />,
      danger: true,
      onSelect: () => remove(message),
    }),
  ];
}
