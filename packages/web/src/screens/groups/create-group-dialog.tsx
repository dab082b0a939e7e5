import { groupNameLengthMax, groupPeopleMax } from "@parley/contracts";
import { useState } from "react";
import { useLocation } from "wouter";
import { useApp } from "../../state/app/use-app.js";
import { dmChannelSince } from "../../state/community/user-events.js";
import { texts } from "../../texts/texts.js";
import { ErrorNote } from "../../ui/data/async-content.js";
import { onForm, textOrNull } from "../../ui/data/form.js";
import { useAction } from "../../ui/data/use-action.js";
import { TextField } from "../../ui/forms/field.js";
import { Button } from "../../ui/look/button.js";
import { Actions, Dialog } from "../../ui/overlays/dialog.js";
import { PeopleChoice } from "./people-choice.js";

const nobody: readonly string[] = [];
/** Fewest others with whom a group begins. */
const othersMin = 2;

/** Opens a group with the chosen people. */
export function CreateGroupDialog({ onClose }: { onClose: () => void }) {
  const labels = texts.groups;
  const { client, store } = useApp();
  const [, navigate] = useLocation();
  const [chosen, setChosen] = useState<ReadonlyMap<string, string>>(new Map());
  const open = useAction(async (form: FormData) => {
    const body = { user_ids: [...chosen.keys()], name: textOrNull(form, "name") };
    const group = await store.change(() => client.directMessages.open(body), dmChannelSince);
    onClose();
    navigate(`/dm/${group.id}`);
  });
  return (
    <Dialog open onOpenChange={onClose} title={labels.create}>
      <form onSubmit={onForm((form) => open.run(form))}>
        <PeopleChoice chosen={chosen} onChange={setChosen} max={groupPeopleMax - 1} without={nobody} />
        <TextField label={labels.name} name="name" hint={labels.nameHint} maxLength={groupNameLengthMax} />
        <ErrorNote error={open.error} />
        <Actions>
          <Button kind="quiet" onClick={onClose}>
            {texts.common.cancel}
          </Button>
          <Button type="submit" disabled={open.isBusy || chosen.size < othersMin}>
            {labels.start}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
