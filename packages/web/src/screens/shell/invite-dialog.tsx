import { useCallback, useState } from "react";
import { serverOfInvite } from "../../device/device-storage.js";
import { useApp } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { ErrorNote } from "../../ui/data/async-content.js";
import { numberOrNull, onForm, textOf } from "../../ui/data/form.js";
import { useAction } from "../../ui/data/use-action.js";
import { Choice, TextField } from "../../ui/forms/field.js";
import { Button } from "../../ui/look/button.js";
import { Actions, Dialog } from "../../ui/overlays/dialog.js";
import { inviteLink } from "./invite-code.js";

/** Creates an invite to a server and shows its link. */
export function InviteDialog({
  server,
  open,
  onOpenChange,
}: {
  server: { id: string; name: string };
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const labels = texts.shell.invite;
  const { client } = useApp();
  const [link, setLink] = useState<string | null>(null);
  const [isCopied, setCopied] = useState(false);
  const create = useAction(
    useCallback(
      async (form: FormData) => {
        const hours = textOf(form, "hours");
        const uses = numberOrNull(form, "uses");
        const invite = await client.invites.create(server.id, {
          ...(hours === "" ? {} : { expires_in_hours: Number(hours) }),
          ...(uses === null ? {} : { max_uses: uses }),
        });
        serverOfInvite(invite.code).write(server.id);
        setCopied(false);
        setLink(inviteLink(invite.code));
      },
      [client, server.id],
    ),
  );
  const copy = async () => {
    if (link === null) return;
    await navigator.clipboard.writeText(link);
    setCopied(true);
  };
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={labels.title(server.name)} description={labels.explanation}>
      <form data-losable onSubmit={onForm(create.run)}>
        <Choice label={labels.age} name="hours" defaultValue="168">
          <option value="24">{labels.ages.day}</option>
          <option value="168">{labels.ages.week}</option>
          <option value="720">{labels.ages.month}</option>
          <option value="">{labels.ages.forever}</option>
        </Choice>
        <TextField label={labels.uses} name="uses" type="number" min={1} />
        {link === null ? null : (
          <TextField label={labels.link} value={link} readOnly onFocus={(e) => e.target.select()} />
        )}
        <ErrorNote error={create.error} />
        <Actions>
          {link === null ? null : (
            <Button kind="quiet" onClick={copy}>
              {isCopied ? texts.shell.copied : texts.shell.copy}
            </Button>
          )}
          <Button type="submit" disabled={create.isBusy}>
            {labels.create}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
