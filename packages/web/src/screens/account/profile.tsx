import type { User } from "@parley/client";
import { useState } from "react";
import { useApp, useAppState } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { ErrorNote } from "../../ui/data/async-content.js";
import { onForm, textOf, textOrNull } from "../../ui/data/form.js";
import { Skeleton } from "../../ui/data/skeleton.js";
import { useAction } from "../../ui/data/use-action.js";
import { TextArea, TextField } from "../../ui/forms/field.js";
import { PictureField } from "../../ui/forms/picture-field.js";
import { Row, Rows } from "../../ui/lists/rows.js";
import { Button } from "../../ui/look/button.js";
import { showTime } from "../../ui/look/show.js";
import { useFollowedFields } from "../../ui/page/use-followed-fields.js";
import { ChangeWithPassword } from "./change-with-password.js";

/** The public profile of the account. */
export function ProfileSection() {
  const me = useAppState((state) => state.me);
  return me === null ? <Skeleton shape="form" /> : <ProfileForm user={me} />;
}

function ProfileForm({ user }: { user: User }) {
  const { client } = useApp();
  const labels = texts.account.profile;
  const [isSaved, setSaved] = useState(false);
  const fields = useFollowedFields();
  const save = useAction(async (form: FormData) => {
    await client.users.updateMe({
      display_name: textOrNull(form, "display_name"),
      bio: textOrNull(form, "bio"),
      pronouns: textOrNull(form, "pronouns"),
    });
    setSaved(true);
  });
  return (
    <>
      <Rows label={labels.username}>
        <Row
          title={user.username}
          detail={labels.since(showTime(user.created_at))}
          actions={<UsernameChange username={user.username} />}
        />
      </Rows>
      <PictureField
        name={user.username}
        url={user.avatar_url}
        onUse={(form) => client.users.setAvatar(form)}
        onRemove={() => client.users.removeAvatar()}
      />
      <form ref={fields} onSubmit={onForm((form) => save.run(form))} onChange={() => setSaved(false)}>
        <TextField
          label={labels.displayName}
          name="display_name"
          hint={labels.displayNameHint}
          maxLength={32}
          defaultValue={user.display_name ?? ""}
        />
        <TextField label={labels.pronouns} name="pronouns" maxLength={40} defaultValue={user.pronouns ?? ""} />
        <TextArea label={labels.bio} name="bio" maxLength={500} rows={5} defaultValue={user.bio ?? ""} />
        <ErrorNote error={save.error} />
        <Button type="submit" disabled={save.isBusy}>
          {texts.common.save}
        </Button>
        <output>{isSaved ? ` ${labels.saved}` : ""}</output>
      </form>
    </>
  );
}

function UsernameChange({ username }: { username: string }) {
  const { client } = useApp();
  const labels = texts.account.profile;
  const save = (form: FormData) =>
    client.users.updateMe({ username: textOf(form, "username").trim(), password: textOf(form, "password") });
  return (
    <ChangeWithPassword label={labels.changeUsername} onSave={save}>
      <TextField
        label={labels.username}
        name="username"
        hint={labels.usernameHint}
        autoComplete="username"
        maxLength={32}
        defaultValue={username}
        required
        autoFocus
      />
    </ChangeWithPassword>
  );
}
