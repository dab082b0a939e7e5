import { useState } from "react";
import { useApp } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { ErrorNote } from "../../ui/data/async-content.js";
import { onForm, textOf } from "../../ui/data/form.js";
import { useAction } from "../../ui/data/use-action.js";
import { TextField } from "../../ui/forms/field.js";
import { Button } from "../../ui/look/button.js";
import { SingleSignOnPanel } from "./single-sign-on.js";

/** The password, and the sign-in provider that may replace it. */
export function PasswordSection() {
  const { client, push } = useApp();
  const labels = texts.account.password;
  const [isChanged, setChanged] = useState(false);
  const change = useAction(async (form: FormData) => {
    await client.changePassword({ current_password: textOf(form, "current"), new_password: textOf(form, "next") });
    // Devices go with their sessions, and this one has another session now.
    void push.renew().catch(() => undefined);
  });
  return (
    <>
      <form
        onSubmit={onForm(async (form, element) => {
          const done = await change.run(form);
          setChanged(done);
          if (done) element.reset();
        })}
      >
        <TextField label={labels.current} name="current" type="password" autoComplete="current-password" required />
        <TextField
          label={labels.next}
          name="next"
          type="password"
          autoComplete="new-password"
          hint={labels.hint}
          minLength={8}
          maxLength={128}
          required
        />
        <ErrorNote error={change.error} />
        <Button type="submit" disabled={change.isBusy}>
          {labels.submit}
        </Button>
        <output>{isChanged ? ` ${labels.changed}` : ""}</output>
      </form>
      <SingleSignOnPanel />
    </>
  );
}
