import { useCallback, useState } from "react";
import { keepServerOf } from "../../state/known-invites.js";
import { usePage } from "../../state/use-page.js";
import { texts } from "../../texts/texts.js";
import { ErrorNote } from "../../ui/async-content.js";
import { Button } from "../../ui/button.js";
import { Actions, Dialog } from "../../ui/dialog.js";
import { Choice, TextField } from "../../ui/field.js";
import { numberOrNull, onForm, textOf } from "../../ui/form.js";
import { useAction } from "../../ui/use-action.js";
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
  const names = texts.shell.invite;
  const { client } = usePage();
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
        keepServerOf(invite.code, server.id);
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
    <Dialog open={open} onOpenChange={onOpenChange} title={names.title(server.name)} description={names.explanation}>
      <form onSubmit={onForm(create.run)}>
        <Choice label={names.age} name="hours" defaultValue="168">
          <option value="24">{names.ages.day}</option>
          <option value="168">{names.ages.week}</option>
          <option value="720">{names.ages.month}</option>
          <option value="">{names.ages.forever}</option>
        </Choice>
        <TextField label={names.uses} name="uses" type="number" min={1} />
        {link === null ? null : (
          <TextField label={names.link} value={link} readOnly onFocus={(e) => e.target.select()} />
        )}
        <ErrorNote error={create.error} />
        <Actions>
          {link === null ? null : (
            <Button kind="quiet" onClick={copy}>
              {isCopied ? texts.common.copied : texts.common.copy}
            </Button>
          )}
          <Button type="submit" disabled={create.isBusy}>
            {names.create}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
