import { useLocation } from "wouter";
import { entrance, useDestination } from "../../session/destination.js";
import { useSession } from "../../session/session.js";
import { texts } from "../../texts/start-texts.js";
import { ErrorNote } from "../../ui/data/async-content.js";
import { onForm, textOf } from "../../ui/data/form.js";
import { useAction } from "../../ui/data/use-action.js";
import { TextField } from "../../ui/forms/field.js";
import { Button } from "../../ui/look/button.js";
import styles from "./login.module.css";

/** Confirms the address of an account that cannot log in before that. */
export function ConfirmAddress({ onDone }: { onDone?: () => void }) {
  const { client } = useSession();
  const [, navigate] = useLocation();
  const { wanted } = useDestination();
  const confirm = useAction(async (form: FormData) => {
    await client.auth.verifyEmail({ token: textOf(form, "token").trim() });
    onDone?.();
    navigate(entrance("/login", wanted));
  });
  return (
    <form onSubmit={onForm((form) => confirm.run(form))}>
      <p role="status">{texts.login.confirmFirst}</p>
      <TextField label={texts.login.confirmCode} name="token" autoComplete="off" required />
      <ErrorNote error={confirm.error} />
      <Button type="submit" disabled={confirm.isBusy} className={styles.submit}>
        {texts.login.confirm}
      </Button>
    </form>
  );
}
