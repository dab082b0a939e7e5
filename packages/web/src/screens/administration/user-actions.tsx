import type { AdminUpdateUserBody, AdminUser } from "@parley/client";
import { useState } from "react";
import { useSession } from "../../session/session.js";
import { texts } from "../../texts/texts.js";
import { ErrorNote } from "../../ui/async-content.js";
import { Button } from "../../ui/button.js";
import { ConfirmButton } from "../../ui/confirm.js";
import { Dialog } from "../../ui/dialog.js";
import { Secret } from "../../ui/secret.js";
import { useAction } from "../../ui/use-action.js";

/** Actions of an administrator on an account. `onChange` gets the changed account, null after its deletion. */
export function UserActions({
  user,
  isOwn,
  onChange,
}: {
  user: AdminUser;
  /** Whether it is the administrator's own account, of which the server refuses most changes. */
  isOwn: boolean;
  onChange: (change: AdminUser | null) => void;
}) {
  const { client } = useSession();
  const names = texts.administration.users;
  const update = async (body: AdminUpdateUserBody) => onChange(await client.admin.updateUser(user.id, body));
  const change = useAction(update);
  const reset = user.email === null ? null : <ResetToken email={user.email} username={user.username} />;
  if (isOwn) return reset;
  return (
    <>
      <ErrorNote error={change.error} />
      {user.is_admin ? (
        <ConfirmButton
          label={names.demote}
          title={names.demoteTitle(user.username)}
          explanation={names.demoteExplanation}
          onConfirm={() => update({ is_admin: false })}
        />
      ) : (
        <ConfirmButton
          label={names.promote}
          title={names.promoteTitle(user.username)}
          explanation={names.promoteExplanation}
          onConfirm={() => update({ is_admin: true })}
        />
      )}
      {reset}
      {user.disabled ? (
        <Button kind="quiet" disabled={change.isBusy} onClick={() => change.run({ disabled: false })}>
          {names.enable}
        </Button>
      ) : (
        <ConfirmButton
          label={names.disable}
          title={names.disableTitle(user.username)}
          explanation={names.disableExplanation}
          onConfirm={() => update({ disabled: true })}
        />
      )}
      <ConfirmButton
        label={names.delete}
        title={names.deleteTitle(user.username)}
        explanation={names.deleteExplanation}
        onConfirm={async () => {
          await client.admin.deleteUser(user.id);
          onChange(null);
        }}
      />
    </>
  );
}

/** A token by which the account's user sets a new password, for instances without mail. */
function ResetToken({ email, username }: { email: string; username: string }) {
  const { client } = useSession();
  const names = texts.administration.users;
  const [token, setToken] = useState<string | null>(null);
  const issue = useAction(async () => setToken((await client.auth.forgotPassword({ email })).token));
  return (
    <>
      <ErrorNote error={issue.error} />
      <Button kind="quiet" disabled={issue.isBusy} onClick={() => issue.run()}>
        {names.reset}
      </Button>
      <Dialog open={token !== null} onOpenChange={() => setToken(null)} title={names.resetTitle(username)}>
        <Secret label={names.resetToken} hint={names.resetHint} value={token ?? ""} />
      </Dialog>
    </>
  );
}
