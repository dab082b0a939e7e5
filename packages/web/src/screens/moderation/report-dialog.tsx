import { reportCategories } from "@parley/contracts";
import { useApp } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { ErrorNote } from "../../ui/data/async-content.js";
import { onForm, textOf } from "../../ui/data/form.js";
import { useAction } from "../../ui/data/use-action.js";
import { Choice, TextArea } from "../../ui/forms/field.js";
import { Button } from "../../ui/look/button.js";
import { Actions, Dialog } from "../../ui/overlays/dialog.js";
import { useNotice } from "../../ui/page/notice.js";
import type { Reportable } from "../actions/open-dialog.js";

/** Reports something, with a kind and a reason. */
export function ReportDialog({
  of,
  id,
  name,
  onClose,
}: {
  of: Reportable;
  id: string;
  /** The name of a reported user; otherwise "". */
  name: string;
  onClose: () => void;
}) {
  const { client } = useApp();
  const labels = texts.moderation.report;
  const say = useNotice((notice) => notice.show);
  const send = useAction((form: FormData) => {
    const category = reportCategories.find((known) => known === textOf(form, "category")) ?? "other";
    return client.reports[of](id, { category, reason: textOf(form, "reason").trim() });
  });
  const titles = {
    message: labels.message,
    directMessage: labels.message,
    user: labels.user(name),
    server: labels.server,
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={titles[of]}
      description={of === "message" ? labels.toServer : labels.toInstance}
    >
      <form
        onSubmit={onForm(async (form) => {
          if (!(await send.run(form))) return;
          onClose();
          say(labels.sent);
        })}
      >
        <Choice label={labels.category} name="category" defaultValue="spam">
          {reportCategories.map((category) => (
            <option key={category} value={category}>
              {texts.moderation.categories[category]}
            </option>
          ))}
        </Choice>
        <TextArea label={labels.reason} name="reason" maxLength={1000} required />
        <ErrorNote error={send.error} />
        <Actions>
          <Button kind="quiet" onClick={onClose}>
            {texts.common.cancel}
          </Button>
          <Button type="submit" disabled={send.isBusy}>
            {labels.label}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
