import { useCallback, useState } from "react";
import { useApp } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { AsyncContent, Empty, ErrorNote } from "../../ui/data/async-content.js";
import { textOf, textOrNull } from "../../ui/data/form.js";
import { useAction } from "../../ui/data/use-action.js";
import { useData } from "../../ui/data/use-data.js";
import { TextField } from "../../ui/forms/field.js";
import { Row, Rows, Tag } from "../../ui/lists/rows.js";
import { Button } from "../../ui/look/button.js";
import { ChangeWithPassword } from "./change-with-password.js";

/** The e-mail address of the account, and its verification. */
export function EmailSection() {
  const { client } = useApp();
  const labels = texts.account.email;
  const email = useData(useCallback((signal) => client.auth.email({ signal }), [client]));
  const [isSent, setSent] = useState(false);
  const verify = useAction(async () => {
    await client.auth.requestEmailVerification();
    setSent(true);
  });
  const [asked, setAsked] = useState<string | null>(null);
  const changed = async (address: string | null, current: string | null) => {
    setAsked(address === current ? null : address);
    setSent(false);
    await email.reload();
  };
  return (
    <>
      <AsyncContent data={email} shape="rows">
        {({ email: address, verified }) =>
          address === null ? (
            <>
              <Empty>{labels.none}</Empty>
              <AddressChange address={null} onChange={changed} />
            </>
          ) : (
            <Rows label={labels.title}>
              <Row
                title={
                  <>
                    {address}
                    <Tag tone={verified ? "success" : "plain"}>{verified ? labels.verified : labels.unverified}</Tag>
                  </>
                }
                detail={isSent ? labels.sent : undefined}
                actions={
                  <>
                    {verified ? null : (
                      <Button kind="quiet" disabled={verify.isBusy} onClick={() => verify.run()}>
                        {labels.verify}
                      </Button>
                    )}
                    <AddressChange address={address} onChange={changed} />
                  </>
                }
              />
            </Rows>
          )
        }
      </AsyncContent>
      <output>{asked === null ? "" : labels.changeSent(asked)}</output>
      <ErrorNote error={verify.error} />
    </>
  );
}

/** @param onChange called with the address that was asked for, and the one that the account has now */
function AddressChange({
  address,
  onChange,
}: {
  address: string | null;
  onChange: (asked: string | null, current: string | null) => Promise<void>;
}) {
  const { client } = useApp();
  const labels = texts.account.email;
  const save = async (form: FormData) => {
    const email = textOrNull(form, "email");
    const user = await client.users.changeEmail({ email, password: textOf(form, "password") });
    await onChange(email, user.email);
  };
  return (
    <ChangeWithPassword label={address === null ? labels.add : labels.change} onSave={save}>
      <TextField
        label={labels.title}
        name="email"
        type="email"
        hint={address === null ? labels.changeHint : labels.removeHint}
        autoComplete="email"
        defaultValue={address ?? ""}
        required={address === null}
        autoFocus
      />
    </ChangeWithPassword>
  );
}
