import { Ellipsis } from "lucide-react";
import { useState } from "react";
import { useApp, useAppState } from "../../../state/app/use-app.js";
import { onThread } from "../../../state/conversations/threads.js";
import { errorText } from "../../../texts/error-text.js";
import { texts } from "../../../texts/texts.js";
import { textOrNull } from "../../../ui/data/form.js";
import { EditForm } from "../../../ui/forms/edit-form.js";
import { TextField } from "../../../ui/forms/field.js";
import { IconButton } from "../../../ui/look/button.js";
import { Dialog } from "../../../ui/overlays/dialog.js";
import { Menu } from "../../../ui/overlays/menu.js";
import { useNotice } from "../../../ui/page/notice.js";

const titleMax = 100;

/** Gives a thread a title, closes it and opens it again; a thread without replies has neither. */
export function ThreadMenu({
  rootId,
  mayChange,
  hasReplies,
}: {
  rootId: string;
  mayChange: boolean;
  hasReplies: boolean;
}) {
  const labels = texts.threads;
  const { client, store } = useApp();
  const state = useAppState(({ threadStates }) => threadStates[rootId]);
  const say = useNotice((notice) => notice.show);
  const [isRenaming, setRenaming] = useState(false);
  if (!mayChange || !hasReplies) return null;
  const isClosed = state?.closed === true;
  const change = (body: { title?: string | null; closed?: boolean }) =>
    store.change(
      () => client.threads.update(rootId, body),
      (before, thread, since) => ({ threadStates: since(onThread(before, thread)).threadStates }),
    );
  return (
    <>
      <Menu
        trigger={
          <IconButton label={labels.actions}>
            <Ellipsis size={18} aria-hidden />
          </IconButton>
        }
        items={[
          { label: labels.rename, onSelect: () => setRenaming(true) },
          {
            label: isClosed ? labels.reopen : labels.close,
            onSelect: () => void change({ closed: !isClosed }).catch((error) => say(errorText(error))),
          },
        ]}
      />
      <Dialog open={isRenaming} onOpenChange={setRenaming} title={labels.rename}>
        <EditForm onSave={(form) => change({ title: textOrNull(form, "title") })} onClose={() => setRenaming(false)}>
          <TextField
            label={labels.titleLabel}
            name="title"
            hint={labels.titleHint}
            maxLength={titleMax}
            defaultValue={state?.title ?? ""}
            autoFocus
          />
        </EditForm>
      </Dialog>
    </>
  );
}
