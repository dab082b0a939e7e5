import type { AdminUpdateUserBody, AdminUser, ParleyClient } from "@parley/client";
import { useState } from "react";
import { useSession } from "../../session/session.js";
import { texts } from "../../texts/texts.js";
import { ErrorNote } from "../../ui/async-content.js";
import { Dialog } from "../../ui/dialog.js";
import { type RowAction, RowMenu } from "../../ui/row-menu.js";
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
  const { email } = user;
  const [token, setToken] = useState<string | null>(null);
  const enable = useAction(async () => onChange(await client.admin.updateUser(user.id, { disabled: false })));
  const issue = useAction(async (address: string) =>
    setToken((await client.auth.forgotPassword({ email: address })).token),
  );
  const reset = email === null ? null : { label: names.reset, onSelect: () => void issue.run(email) };
  return (
    <>
      <ErrorNote error={enable.error ?? issue.error} />
      <RowMenu
        name={user.username}
        actions={isOwn ? [reset] : [reset, ...changes(user, client, () => void enable.run(), onChange)]}
      />
      <Dialog open={token !== null} onOpenChange={() => setToken(null)} title={names.resetTitle(user.username)}>
        <Secret label={names.resetToken} hint={names.resetHint} value={token ?? ""} />
      </Dialog>
    </>
  );
}

/** What changes an account, the dangerous last. */
function changes(
  { id, username, is_admin, disabled }: AdminUser,
  client: ParleyClient,
  enable: () => void,
  onChange: (change: AdminUser | null) => void,
): RowAction[] {
  const names = texts.administration.users;
  const update = (body: AdminUpdateUserBody) => async () => onChange(await client.admin.updateUser(id, body));
  return [
    is_admin
      ? {
          label: names.demote,
          question: {
            title: names.demoteTitle(username),
            explanation: names.demoteExplanation,
            onConfirm: update({ is_admin: false }),
          },
        }
      : {
          label: names.promote,
          question: {
            title: names.promoteTitle(username),
            explanation: names.promoteExplanation,
            onConfirm: update({ is_admin: true }),
          },
        },
    disabled
      ? { label: names.enable, onSelect: enable }
      : {
          label: names.disable,
          danger: true,
          question: {
            title: names.disableTitle(username),
            explanation: names.disableExplanation,
            onConfirm: update({ disabled: true }),
          },
        },
    {
      label: names.delete,
      danger: true,
      question: {
        title: names.deleteTitle(username),
        explanation: names.deleteExplanation,
        onConfirm: async () => {
          await client.admin.deleteUser(id);
          onChange(null);
        },
      },
    },
  ];
}
