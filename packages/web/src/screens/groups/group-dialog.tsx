import type { GroupChannel } from "@parley/client";
import { groupNameLengthMax, groupPeopleMax } from "@parley/contracts";
import { useState } from "react";
import { useLocation } from "wouter";
import { useApp, useAppState } from "../../state/app/use-app.js";
import { isGroup } from "../../state/store/group-people.js";
import { texts } from "../../texts/texts.js";
import { ErrorNote } from "../../ui/data/async-content.js";
import { onForm, textOrNull } from "../../ui/data/form.js";
import { useAction } from "../../ui/data/use-action.js";
import { TextField } from "../../ui/forms/field.js";
import { PictureField } from "../../ui/forms/picture-field.js";
import { Button } from "../../ui/look/button.js";
import { ConfirmButton } from "../../ui/overlays/confirm.js";
import { Actions, Dialog } from "../../ui/overlays/dialog.js";
import { directTitle } from "./direct-title.js";
import { GroupMembers } from "./group-members.js";
import { PeopleChoice } from "./people-choice.js";

/** The members of a group, and the form of its changes. */
export function GroupDialog({ channelId, onClose }: { channelId: string; onClose: () => void }) {
  const labels = texts.groups;
  const { client } = useApp();
  const [, navigate] = useLocation();
  const group = useAppState((state) => state.dmChannels.filter(isGroup).find(({ id }) => id === channelId));
  const isOwner = useAppState((state) => state.me?.id === group?.owner_id);
  if (group === undefined) return null;
  const leave = async () => {
    await client.directMessages.leaveGroup(group.id);
    onClose();
    navigate("/dm");
  };
  return (
    <Dialog open onOpenChange={onClose} title={labels.title} wide>
      <NameForm group={group} />
      {isOwner ? (
        <PictureField
          name={directTitle(group)}
          url={group.icon_url}
          onUse={(form) => client.directMessages.setGroupIcon(group.id, form)}
          onRemove={() => client.directMessages.removeGroupIcon(group.id)}
        />
      ) : null}
      <GroupMembers group={group} />
      <AddPeople group={group} />
      <Actions>
        <ConfirmButton
          label={labels.leave}
          title={labels.leaveTitle(directTitle(group))}
          explanation={labels.leaveExplanation}
          onConfirm={leave}
        />
      </Actions>
    </Dialog>
  );
}

function NameForm({ group }: { group: GroupChannel }) {
  const labels = texts.groups;
  const { client } = useApp();
  const [isSaved, setSaved] = useState(false);
  const save = useAction(async (form: FormData) => {
    await client.directMessages.updateGroup(group.id, { name: textOrNull(form, "name") });
    setSaved(true);
  });
  return (
    <form onSubmit={onForm((form) => save.run(form))} onChange={() => setSaved(false)}>
      <TextField
        label={labels.name}
        name="name"
        hint={labels.nameHint}
        maxLength={groupNameLengthMax}
        defaultValue={group.name ?? ""}
      />
      <ErrorNote error={save.error} />
      <Button type="submit" disabled={save.isBusy}>
        {texts.common.save}
      </Button>
      <output>{isSaved ? ` ${labels.saved}` : ""}</output>
    </form>
  );
}

/** Chooses people and adds them; after a failure the remaining ones stay chosen. */
function AddPeople({ group }: { group: GroupChannel }) {
  const labels = texts.groups;
  const { client } = useApp();
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState<ReadonlyMap<string, string>>(new Map());
  const without = group.recipients.map(({ id }) => id);
  const room = groupPeopleMax - 1 - without.length;
  const add = useAction(async () => {
    const left = new Map(chosen);
    for (const id of chosen.keys()) {
      await client.directMessages.addToGroup(group.id, id);
      left.delete(id);
      setChosen(new Map(left));
    }
    setOpen(false);
  });
  if (room <= 0) return <p>{labels.full}</p>;
  if (!isOpen) {
    return (
      <Button kind="quiet" onClick={() => setOpen(true)}>
        {labels.add}
      </Button>
    );
  }
  return (
    <form onSubmit={onForm(() => add.run())}>
      <PeopleChoice chosen={chosen} onChange={setChosen} max={room} without={without} />
      <ErrorNote error={add.error} />
      <Button type="submit" disabled={add.isBusy || chosen.size === 0}>
        {labels.add}
      </Button>
    </form>
  );
}
