import { ParleyError } from "@parley/client";
import { useState } from "react";
import { texts } from "../../texts/texts.js";
import { textOf } from "../../ui/data/form.js";
import { TextField } from "../../ui/forms/field.js";

/** The fields of a form that asks for the owner's password, and for the code once the server demands it. */
export function useOwnerFields() {
  const [needsCode, setNeedsCode] = useState(false);
  return {
    fields: <OwnerFields needsCode={needsCode} />,
    /** Sends the filled fields. @returns false when the form asks for the code now */
    async send(form: FormData, request: (owner: { password: string; code?: string }) => Promise<void>) {
      const code = textOf(form, "code");
      try {
        await request({ password: textOf(form, "password"), ...(code === "" ? {} : { code }) });
      } catch (failure) {
        if (!(failure instanceof ParleyError) || failure.code !== "second_factor_required") throw failure;
        setNeedsCode(true);
        return false;
      }
      setNeedsCode(false);
      return true;
    },
  };
}

function OwnerFields({ needsCode }: { needsCode: boolean }) {
  const labels = texts.account.secondFactor;
  return (
    <>
      <TextField label={labels.password} name="password" type="password" autoComplete="current-password" required />
      {needsCode ? (
        <TextField label={labels.removeCode} name="code" autoComplete="one-time-code" required autoFocus />
      ) : null}
    </>
  );
}
