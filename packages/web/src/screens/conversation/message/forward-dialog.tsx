import { useMemo, useState } from "react";
import { mayInChannel } from "../../../state/access/permissions.js";
import { useApp } from "../../../state/app/use-app.js";
import { texts } from "../../../texts/texts.js";
import { ErrorNote } from "../../../ui/data/async-content.js";
import { useAction } from "../../../ui/data/use-action.js";
import { TextField } from "../../../ui/forms/field.js";
import { Dialog } from "../../../ui/overlays/dialog.js";
import { useNotice } from "../../../ui/page/notice.js";
import { useTargets } from "../../quick-switcher/quick-switcher.js";
import { TargetChoices } from "../../quick-switcher/target-choices.js";
import type { Target } from "../../quick-switcher/targets.js";

const contentMax = 4_000;

/** Sends a copy of a message to another channel or conversation, with a text of the user's own. */
export function ForwardDialog({
  messageId,
  isDirect,
  onClose,
}: {
  messageId: string;
  isDirect: boolean;
  onClose: () => void;
}) {
  const labels = texts.conversation.forward;
  const { client, store } = useApp();
  const say = useNotice((notice) => notice.show);
  const [text, setText] = useState("");
  // A repeated attempt to the same place sends no second copy.
  const [nonce] = useState(() => crypto.randomUUID());
  const all = useTargets();
  const targets = useMemo(
    () =>
      all.filter(
        ({ kind, id }) =>
          kind === "person" || (kind === "channel" && mayInChannel(store.getState(), id, "SEND_MESSAGES")),
      ),
    [all, store],
  );
  const forward = useAction(async ({ kind, id, name }: Target) => {
    const content = text.trim();
    const body = {
      ...(kind === "person" ? { dm_channel_id: id } : { channel_id: id }),
      ...(content === "" ? {} : { content }),
      nonce,
    };
    await (isDirect ? client.directMessages : client.messages).forward(messageId, body);
    say(labels.sent(name));
    onClose();
  });
  return (
    <Dialog open onOpenChange={onClose} title={labels.title}>
      <TextField
        label={labels.text}
        maxLength={contentMax}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <TargetChoices
        targets={targets}
        labels={{ field: labels.to, list: labels.places }}
        onChoose={(target) => void forward.run(target)}
      />
      <ErrorNote error={forward.error} />
    </Dialog>
  );
}
