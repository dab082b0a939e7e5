import { SendHorizontal, Smile, X } from "lucide-react";
import { type RefObject, useEffect, useRef, useState } from "react";
import { useApp } from "../../../state/app/use-app.js";
import { texts } from "../../../texts/texts.js";
import { IconButton } from "../../../ui/look/button.js";
import { Dialog } from "../../../ui/overlays/dialog.js";
import { lazyPart } from "../../../ui/page/lazy-part.js";
import type { ChosenCommand } from "../../apps/use-commands.js";
import type { PlanDialogProps } from "../../inbox/plan-dialogs.js";
import { SuggestionList } from "../../suggestions/suggestion-list.js";
import { useConversation } from "../context.js";
import { EmojiButton } from "../message/emoji-button.js";
import { AddMenu } from "./add-menu.js";
import styles from "./composer.module.css";
import { ComposerField } from "./composer-field.js";
import { FileChips } from "./file-chips.js";
import { ReplyLine } from "./reply-line.js";
import { useComposing } from "./use-composing.js";
import type { useDraft } from "./use-draft.js";
import type { useFiles } from "./use-files.js";
import { useSlowMode } from "./use-slow-mode.js";
import { useTakenBack } from "./use-taken-back.js";
import { WaitLine } from "./wait-line.js";

const CommandForm = lazyPart(async () => (await import("../../apps/command-form.js")).CommandForm);

const PlanDialog = lazyPart<PlanDialogProps>(async () => (await import("../../inbox/plan-dialogs.js")).PlanDialog, {
  missing: ({ onClose }, note) => (
    <Dialog open onOpenChange={onClose} title={texts.inbox.plans.title}>
      {note}
    </Dialog>
  ),
});

const lengthMax = 4_000;

/** Writes and sends new messages. */
export function Composer({
  placeholder,
  threadId,
  files,
  mayAttach,
}: {
  placeholder: string;
  threadId?: string;
  files: ReturnType<typeof useFiles>;
  mayAttach: boolean;
}) {
  const labels = texts.conversation;
  const { place, serverId } = useConversation();
  const [command, setCommand] = useState<ChosenCommand | null>(null);
  const { field, isTouch, draft, suggestions, change, insert } = useComposing(threadId, setCommand);
  useFocusAfter(command !== null, field);
  useTakenBack(threadId, field, { draft, files });
  const { text } = draft;
  const excess = [...draft.sent].length - lengthMax;
  const { waitSeconds, isHeld } = useSlowMode();
  const isComplete = (text.trim() !== "" || files.files.length > 0) && excess <= 0 && !files.isChecking;
  const isSendable = isComplete && !isHeld;
  const [isPlanning, setPlanning] = useState(false);
  const sendDraft = useSendDraft(threadId, draft, files);
  const { replyTo, reply } = useConversation();
  const mayPlan = text.trim() !== "" && files.files.length === 0 && excess <= 0;
  const send = () => {
    if (!isSendable) return;
    sendDraft();
    suggestions.setClosed(false);
    field.current?.focus();
  };
  if (command !== null && serverId !== null) {
    return (
      <div className={styles.composer}>
        <CommandForm
          key={command.command.id}
          chosen={command}
          channelId={place.id}
          serverId={serverId}
          onLeave={() => setCommand(null)}
        />
      </div>
    );
  }
  return (
    <div className={styles.composer}>
      <SuggestionList listbox={suggestions.listbox} suggestions={suggestions.shown} />
      <ToBeSent files={files} />
      <div className={styles.line}>
        <AddMenu
          mayAttach={mayAttach}
          threadId={threadId ?? null}
          onFiles={files.add}
          onPlan={mayPlan ? () => setPlanning(true) : null}
        />
        <ComposerField
          field={field}
          label={placeholder}
          threadId={threadId}
          draft={draft}
          suggestions={suggestions}
          isTouch={isTouch}
          onChange={change}
          onFiles={mayAttach ? files.add : null}
          onSend={send}
        />
        <EmojiButton label={labels.emoji} onPick={(emoji) => insert(emoji.text)}>
          <Smile size={20} aria-hidden />
        </EmojiButton>
        <IconButton label={labels.send} className={styles.send} disabled={!isSendable} onClick={send}>
          <SendHorizontal size={20} aria-hidden />
        </IconButton>
      </div>
      {isPlanning ? (
        <PlanDialog
          place={place}
          threadId={threadId ?? null}
          content={draft.sent}
          replyTo={replyTo}
          onPlanned={() => {
            draft.clear();
            reply(null);
          }}
          onClose={() => setPlanning(false)}
        />
      ) : null}
      <WaitLine seconds={waitSeconds} />
      {excess > 0 ? (
        <p role="status" className={styles.error}>
          <X size={14} aria-hidden /> {labels.tooLong(excess)}
        </p>
      ) : null}
    </div>
  );
}

/** Gives the field the focus once something that stood in its place is gone. */
function useFocusAfter(isReplaced: boolean, field: RefObject<HTMLTextAreaElement | null>): void {
  const before = useRef(isReplaced);
  useEffect(() => {
    if (before.current && !isReplaced) field.current?.focus();
    before.current = isReplaced;
  }, [isReplaced, field]);
}

/** The message that is replied to, and the files that are sent along. */
function ToBeSent({ files }: { files: ReturnType<typeof useFiles> }) {
  const { replyTo, reply } = useConversation();
  return (
    <>
      {replyTo === null ? null : <ReplyLine messageId={replyTo} onCancel={() => reply(null)} />}
      <FileChips files={files.files} onRemove={files.remove} />
      {files.error === null ? null : (
        <p role="alert" className={styles.error}>
          {files.error}
        </p>
      )}
    </>
  );
}

/** Returns a function that sends the draft and begins a new one. */
function useSendDraft(
  threadId: string | undefined,
  draft: ReturnType<typeof useDraft>,
  files: ReturnType<typeof useFiles>,
): () => void {
  const { sending } = useApp();
  const { place, replyTo, reply } = useConversation();
  return () => {
    void sending.send({
      place,
      content: draft.sent.trim() === "" ? "" : draft.sent,
      files: files.files,
      ...(threadId === undefined ? {} : { threadId }),
      ...(replyTo === null ? {} : { replyTo }),
    });
    draft.clear();
    files.clear();
    reply(null);
  };
}
