import { askPasskey } from "../../session/ask-passkey.js";
import { canPasskeys } from "../../session/passkeys-on.js";
import { useSession } from "../../session/session.js";
import { texts } from "../../texts/start-texts.js";
import { ErrorNote } from "../../ui/data/async-content.js";
import { textOf } from "../../ui/data/form.js";
import { useAction } from "../../ui/data/use-action.js";
import { Button } from "../../ui/look/button.js";
import styles from "./login.module.css";

/**
 * Logs in with a passkey: in place of the code where the server demands one, otherwise in place of everything. Part of
 * the form.
 */
export function PasskeyLogin({ needsCode }: { needsCode: boolean }) {
  const { client, begin } = useSession();
  const login = useAction(async (form: HTMLFormElement | null) => {
    if (needsCode && form !== null) {
      const fields = new FormData(form);
      const credentials = { username: textOf(fields, "username"), password: textOf(fields, "password") };
      const asked = await client.auth.beginPasskeyFactor(credentials);
      await client.login({ ...credentials, passkey: await askPasskey(asked) });
    } else {
      await client.loginWithPasskey({ response: await askPasskey(await client.auth.beginPasskeyLogin()) });
    }
    begin();
  });
  if (!canPasskeys) return null;
  return (
    <>
      <Button
        kind="quiet"
        disabled={login.isBusy}
        className={styles.submit}
        onClick={({ currentTarget }) => login.run(currentTarget.form)}
      >
        {needsCode ? texts.login.passkeyInstead : texts.login.passkey}
      </Button>
      <ErrorNote error={login.error} />
    </>
  );
}
