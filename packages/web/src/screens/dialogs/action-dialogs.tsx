import { useApp, useAppState } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { textOf, textOrNull } from "../../ui/data/form.js";
import { EditForm } from "../../ui/forms/edit-form.js";
import { TextField } from "../../ui/forms/field.js";
import { useIsNarrow } from "../../ui/look/use-media.js";
import { ConfirmDialog } from "../../ui/overlays/confirm.js";
import { Dialog } from "../../ui/overlays/dialog.js";
import { SheetFrame } from "../../ui/overlays/sheet.js";
import { SlowModeChoice } from "../actions/durations.js";
import { ModerationDialog } from "../actions/moderation-dialog.js";
import { NicknameDialog } from "../actions/nickname-dialog.js";
import type { ActionDialog } from "../actions/open-dialog.js";
import { ComingEventsDialog } from "../conversation/message/coming-events-dialog.js";
import { EditEventDialog } from "../conversation/message/edit-event-dialog.js";
import { ForwardDialog } from "../conversation/message/forward-dialog.js";
import { ReactionsDialog } from "../conversation/message/reactions-dialog.js";
import { EmojiPicker } from "../emoji/lazy-emoji-picker.js";
import { CreateGroupDialog } from "../groups/create-group-dialog.js";
import { GroupDialog } from "../groups/group-dialog.js";
import { NoteDialog } from "../inbox/note-dialog.js";
import { ChangePlanDialog } from "../inbox/plan-dialogs.js";
import { RemindDialog } from "../inbox/remind-dialog.js";
import { HistoryDialog } from "../moderation/history-dialog.js";
import { ReportDialog } from "../moderation/report-dialog.js";
import { ProfileCard } from "../profile/profile-card.js";
import { ChannelOverrides } from "../server-settings/channel-overrides.js";
import { CreateChannelDialog } from "../shell/create-channel.js";
import { InviteDialog } from "../shell/invite-dialog.js";
import { ShortcutList } from "../shortcuts/shortcut-list.js";

type Props<Kind extends ActionDialog["kind"]> = {
  dialog: Extract<ActionDialog, { kind: Kind }>;
  onClose: () => void;
};

/** The dialog of an action. */
export function ActionDialogs({ dialog, onClose }: { dialog: ActionDialog; onClose: () => void }) {
  switch (dialog.kind) {
    case "profile":
      return (
        <Dialog open onOpenChange={onClose} title={texts.shell.profile.title}>
          <ProfileCard userId={dialog.userId} serverId={dialog.serverId} />
        </Dialog>
      );
    case "moderate":
      return <ModerationDialog {...dialog} onClose={onClose} />;
    case "report":
      return <ReportDialog {...dialog} onClose={onClose} />;
    case "history":
      return <HistoryDialog {...dialog} onClose={onClose} />;
    case "nickname":
      return <NicknameDialog {...dialog} onClose={onClose} />;
    case "reactions":
      return <ReactionsDialog {...dialog} onClose={onClose} />;
    case "react":
      return <ReactionDialog dialog={dialog} onClose={onClose} />;
    case "forward":
      return <ForwardDialog {...dialog} onClose={onClose} />;
    case "remind":
      return <RemindDialog {...dialog} onClose={onClose} />;
    case "note":
      return <NoteDialog {...dialog} onClose={onClose} />;
    case "change plan":
      return <ChangePlanDialog {...dialog} onClose={onClose} />;
    case "edit event":
      return <EditEventDialog {...dialog} onClose={onClose} />;
    case "coming events":
      return <ComingEventsDialog {...dialog} onClose={onClose} />;
    case "create channel":
      return <CreateChannelDialog {...dialog} open onOpenChange={onClose} />;
    case "create group":
      return <CreateGroupDialog onClose={onClose} />;
    case "group":
      return <GroupDialog {...dialog} onClose={onClose} />;
    case "switcher":
    case "search":
      // The screens have them.
      return null;
    case "shortcuts":
      return <ShortcutList onClose={onClose} />;
    case "invite":
    case "leave":
      return <ServerDialog dialog={dialog} onClose={onClose} />;
    default:
      return <ChannelDialog dialog={dialog} onClose={onClose} />;
  }
}

function ReactionDialog({ dialog: { channelId, messageId, serverId }, onClose }: Props<"react">) {
  const { details } = useApp();
  const title = texts.conversation.addReaction;
  const picker = (
    <EmojiPicker
      serverId={serverId}
      onPick={({ reaction }) => {
        onClose();
        details.react(channelId, messageId, reaction, true).catch(() => undefined);
      }}
    />
  );
  if (useIsNarrow()) {
    return (
      <SheetFrame label={title} onOpenChange={onClose}>
        {picker}
      </SheetFrame>
    );
  }
  return (
    <Dialog open onOpenChange={onClose} title={title}>
      {picker}
    </Dialog>
  );
}

function ChannelDialog({ dialog, onClose }: Props<"edit channel" | "channel permissions" | "delete channel">) {
  const labels = texts.serverSettings.channels;
  const { client } = useApp();
  const channel = useAppState((state) => state.channels[dialog.channelId]);
  if (channel === undefined) return null;
  if (dialog.kind === "edit channel") {
    return (
      <Dialog open onOpenChange={onClose} title={labels.editTitle(channel.name)}>
        <EditForm
          onClose={onClose}
          onSave={(form) =>
            client.channels.update(channel.id, {
              name: textOf(form, "name"),
              category: textOrNull(form, "category"),
              topic: textOrNull(form, "topic"),
              slow_mode_seconds: Number(textOf(form, "slow_mode_seconds")),
            })
          }
        >
          <TextField label={labels.name} name="name" maxLength={100} defaultValue={channel.name} required />
          <TextField label={labels.topic} name="topic" maxLength={1024} defaultValue={channel.topic ?? ""} />
          <TextField
            label={labels.category}
            name="category"
            maxLength={100}
            list="categories"
            defaultValue={channel.category ?? ""}
          />
          <SlowModeChoice seconds={channel.slow_mode_seconds ?? 0} />
        </EditForm>
      </Dialog>
    );
  }
  if (dialog.kind === "channel permissions") {
    return (
      <Dialog
        open
        onOpenChange={onClose}
        title={labels.permissionsOf(channel.name)}
        description={labels.permissionsHint}
        wide
      >
        <ChannelOverrides channel={channel} />
      </Dialog>
    );
  }
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={labels.deleteTitle(channel.name)}
      explanation={labels.deleteExplanation}
      confirmLabel={labels.delete}
      onConfirm={() => client.channels.delete(channel.id)}
    />
  );
}

function ServerDialog({ dialog, onClose }: Props<"invite" | "leave">) {
  const labels = texts.shell;
  const { client } = useApp();
  const server = useAppState((state) => state.servers.find(({ id }) => id === dialog.serverId));
  if (server === undefined) return null;
  if (dialog.kind === "invite") return <InviteDialog server={server} open onOpenChange={onClose} />;
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={texts.serverSettings.overview.leaveTitle(server.name)}
      explanation={labels.leaveExplanation}
      confirmLabel={labels.leave}
      onConfirm={() => client.servers.leave(server.id)}
    />
  );
}
