import type { Message } from "@parley/client";
import { useApp } from "../../../state/app/use-app.js";
import { texts } from "../../../texts/texts.js";
import { ErrorNote } from "../../../ui/data/async-content.js";
import { useAction } from "../../../ui/data/use-action.js";
import { QuietLine } from "./folded-line.js";

/** Stands for the embeds and components that a list had no room for (docs/protocol/objects.md#4.11), and reads them. */
export function LeftOutParts({ message: { channel_id, id } }: { message: Message }) {
  const { details } = useApp();
  const { run, isBusy, error } = useAction(() => details.readParts(channel_id, id));
  return (
    <>
      <QuietLine text={texts.apps.leftOut} action={texts.apps.loadLeftOut} isBusy={isBusy} onShow={() => void run()} />
      <ErrorNote error={error} />
    </>
  );
}
